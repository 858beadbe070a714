import { Problem } from '../../../contract/problem.ts'

export const SCIM_TYPE = 'application/scim+json'

/** The keywords of RFC 7644 (table 9) that we use. */
type ScimType = 'invalidFilter' | 'invalidPath' | 'invalidSyntax' | 'invalidValue' | 'mutability' | 'noTarget' | 'uniqueness'

/** An error that the directory caused (RFC 7644, section 3.12). */
export class ScimError extends Problem {
  readonly scimType: ScimType | undefined

  constructor(status: number, detail: string, scimType?: ScimType) {
    super(status, detail)
    this.scimType = scimType
  }
}

export const invalidValue = (detail: string): ScimError => new ScimError(400, detail, 'invalidValue')

const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error'

/** Any error in SCIM format; its status is text. */
export const formatScimProblem = (problem: Problem): { readonly type: string; readonly body: object } => {
  const { title, detail } = problem.toBody()
  return {
    type: SCIM_TYPE,
    body: {
      schemas: [ERROR_SCHEMA],
      status: String(problem.status),
      ...(problem instanceof ScimError && problem.scimType !== undefined ? { scimType: problem.scimType } : {}),
      detail: detail === undefined ? title : `${title}. ${detail}`,
    },
  }
}
