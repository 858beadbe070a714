/** A function that computes its result once for each object, and keeps it as long as the object. */
export const memoize = <K extends object, V extends object | number>(compute: (key: K) => V): ((key: K) => V) => {
  const values = new WeakMap<K, V>()
  return (key) => {
    const value = values.get(key) ?? compute(key)
    values.set(key, value)
    return value
  }
}
