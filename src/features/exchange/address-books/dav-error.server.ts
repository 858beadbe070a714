import { Problem } from '../../../contract/problem.ts'

/** The conditions of RFC 3744, 4918, 6352 and 6578 that we report. */
type Condition =
  | 'D:need-privileges'
  | 'D:propfind-finite-depth'
  | 'D:supported-report'
  | 'D:valid-sync-token'
  | 'C:supported-address-data'
  | 'C:supported-address-data-conversion'
  | 'C:supported-collation'
  | 'C:supported-filter'

/** An error that the program caused, with the condition by which it recognizes it. */
export class DavError extends Problem {
  readonly condition: Condition | undefined

  constructor(status: number, title: string, condition?: Condition, detail?: string) {
    super(status, title, detail === undefined ? {} : { detail })
    this.condition = condition
  }
}

export const invalidXml = (detail: string): DavError => new DavError(400, 'The XML is not valid', undefined, detail)
