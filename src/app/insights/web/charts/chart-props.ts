import type { Insight } from '../../contract.ts'

/** What a picture needs beside its figures. */
export interface ChartProps {
  readonly insight: Insight
  /** The series of the period before; undefined if they are not shown. */
  readonly before: Insight['compared'] | undefined
  readonly width: number
}
