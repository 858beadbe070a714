import lighthouse, { Audit, desktopConfig, Gatherer } from 'lighthouse'

import { getMedian } from '../../support/percentile.ts'

export const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const
type Category = (typeof CATEGORIES)[number]

/** Lighthouse's scores vary with the machine; the median of five runs is reported. */
const ROUNDS = 5
/** A trace that was recorded badly is repeated, as Lighthouse itself recommends; a low score is not. */
const MAX_ATTEMPTS = 3

/** The headings of the measured page once it was loaded. */
class Headings extends Gatherer {
  override meta: Gatherer['meta'] = { supportedModes: ['navigation'] }
  // Lighthouse's types only know its own artifacts.
  override getArtifact({ driver }: Parameters<Gatherer['getArtifact']>[0]): Promise<never> {
    const read = (): string[] => Array.from(document.querySelectorAll('h1'), (one) => one.textContent)
    return driver.executionContext.evaluate(read, { args: [] }) as Promise<never>
  }
}

/** Passes the headings on: Lighthouse only gathers what an audit requests. */
class HeadingsSeen extends Audit {
  static override get meta() {
    const words = 'The page’s first heading'
    return { id: 'headings-seen', title: words, failureTitle: words, description: words, requiredArtifacts: ['Headings'] as never[] }
  }
  static override audit(artifacts: object) {
    const { Headings: seen } = artifacts as { Headings: string[] }
    return { score: 1, displayValue: seen.join(', ') }
  }
}

const config = {
  ...desktopConfig,
  artifacts: [{ id: 'Headings', gatherer: { implementation: Headings } }],
  audits: [{ implementation: HeadingsSeen }],
  categories: { page: { title: 'The page', auditRefs: [{ id: 'headings-seen', weight: 0 }] } },
}

/** One run with an empty cache; the browser stays signed in (Lighthouse clears neither cookies nor local storage). */
const measure = async (address: string, port: number, log: (line: string) => void) => {
  for (let attempt = 1; ; attempt++) {
    const result = await lighthouse(address, { port, output: 'json', logLevel: 'error', onlyCategories: [...CATEGORIES, 'page'] }, config)
    if (!result) throw new Error(`Lighthouse said nothing of ${address}`)
    const { runtimeError } = result.lhr
    if (!runtimeError) return result.lhr
    if (attempt === MAX_ATTEMPTS) throw new Error(`Lighthouse could not read ${address}: ${runtimeError.message}`)
    log(`  ${address}: ${runtimeError.code}, once more`)
  }
}

/**
 * Scores from 0 to 100 by category, the median of several runs; logs what was not perfect. Throws if the measured page does not have this address and
 * heading.
 */
export const measureScores = async (
  { address, heading }: { address: string; heading: string },
  port: number,
  log: (line: string) => void,
): Promise<Record<Category, number>> => {
  const scores: Record<Category, number[]> = { performance: [], accessibility: [], 'best-practices': [] }
  const named = new Set<string>()
  for (let round = 0; round < ROUNDS; round++) {
    const { categories, audits, finalDisplayedUrl } = await measure(address, port, log)
    const seen = audits['headings-seen']?.displayValue
    if (finalDisplayedUrl !== address) throw new Error(`Lighthouse was led from ${address} to ${finalDisplayedUrl}: is nobody signed in?`)
    if (seen !== heading) throw new Error(`Lighthouse measured ${address} with the heading "${seen}" where "${heading}" was to be`)
    for (const category of CATEGORIES) scores[category].push(Math.round((categories[category]?.score ?? 0) * 100))
    log(`  ${address}: ${CATEGORIES.map((category) => `${category} ${scores[category].at(-1)}`).join(', ')}`)
    for (const { id, score, displayValue, title } of Object.values(audits)) {
      if (score === null || score >= 0.9 || named.has(id)) continue
      named.add(id)
      log(`    ${id} ${score}: ${title}${displayValue === undefined ? '' : ` (${displayValue})`}`)
    }
  }
  const medians = CATEGORIES.map((category) => [category, getMedian(scores[category])])
  return Object.fromEntries(medians) as Record<Category, number>
}
