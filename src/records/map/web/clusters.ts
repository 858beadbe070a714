/** An item with its position on the screen, in pixels. */
export interface ClusterPoint<T> {
  readonly x: number
  readonly y: number
  readonly of: T
}
/** Items that would overlap, at their center. */
export interface Cluster<T> {
  readonly x: number
  readonly y: number
  readonly members: readonly T[]
}

interface GrowingCluster<T> {
  x: number
  y: number
  members: T[]
}

const join = <T>(into: GrowingCluster<T>, other: GrowingCluster<T>): void => {
  const all = into.members.length + other.members.length
  into.x += ((other.x - into.x) * other.members.length) / all
  into.y += ((other.y - into.y) * other.members.length) / all
  for (const member of other.members) into.members.push(member)
}

/**
 * Groups spots so that no two groups are closer than `apart`: first by the squares of a grid, then by merging squares whose centers are too close,
 * largest first. Takes linear time in the number of spots; the rest depends on the number of squares, which is small.
 */
export const clusterPoints = <T>(spots: readonly ClusterPoint<T>[], distance: number): Cluster<T>[] => {
  const squares = new Map<string, GrowingCluster<T>>()
  for (const { x, y, of } of spots) {
    const key = `${Math.floor(x / distance)} ${Math.floor(y / distance)}`
    const square = squares.get(key)
    if (square) {
      square.x += (x - square.x) / (square.members.length + 1)
      square.y += (y - square.y) / (square.members.length + 1)
      square.members.push(of)
    } else squares.set(key, { x, y, members: [of] })
  }

  let left = [...squares.values()].toSorted((a, b) => b.members.length - a.members.length || a.y - b.y || a.x - b.x)
  for (let before = -1; before !== left.length;) {
    before = left.length
    const remaining: GrowingCluster<T>[] = []
    for (const cluster of left) {
      const near = remaining.find((other) => Math.hypot(other.x - cluster.x, other.y - cluster.y) < distance)
      if (near) join(near, cluster)
      else remaining.push(cluster)
    }
    left = remaining
  }
  return left
}
