import type { Proof } from '../support/proof.ts'

/** How many attempts were made, and what is wrong about their results. */
export class Attempts {
  tried = 0
  readonly wrong: string[] = []

  /** Something about the result of an attempt, which must be as it should. */
  expect(isRight: boolean, wrong: string): void {
    if (!isRight) this.wrong.push(wrong)
  }

  /** One more attempt, and something about its result. */
  add(isRight: boolean, wrong: string): void {
    this.tried++
    this.expect(isRight, wrong)
  }
}

/** Reports the number of attempts, and requires that none went wrong. */
export const reportAttempts = ({ report, expectNone }: Proof, what: string, { tried, wrong }: Attempts, outcome: string): void => {
  report(what, tried)
  expectNone(`of them ${outcome}`, wrong)
}
