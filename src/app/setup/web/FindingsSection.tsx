import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import { Section } from '../../../platform/web/kit/Section.tsx'
import { RowSkeleton } from '../../../platform/web/list/ListSkeleton.tsx'
import { LoadedList } from '../../../platform/web/list/LoadedList.tsx'
import { callQueryOptions } from '../../../platform/web/queries.ts'
import { readFindings } from '../contract.ts'
import { Findings } from './Findings.tsx'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'

/** What `homeroom doctor` says, on the page. */
export const FindingsSection = () => {
  const query = useQuery(callQueryOptions(readFindings))
  return (
    <Section title="Checks of the server">
      <div className={layoutClasses.spreadRow}>
        <p className={textClasses.dimmed}>What the server depends on. Nothing is changed by looking.</p>
        <Button variant="default" loading={query.isFetching} onClick={() => void query.refetch()}>
          Check Again
        </Button>
      </div>
      <LoadedList query={query} skeleton={<RowSkeleton />}>
        {(findings) => {
          const wrong = findings.filter(({ state }) => state === 'wrong').length
          return (
            <details open={wrong > 0}>
              <summary>{wrong === 0 ? 'Nothing is wrong' : `${wrong} to correct`}: see all checks</summary>
              <Findings label="Findings" findings={findings} />
            </details>
          )
        }}
      </LoadedList>
    </Section>
  )
}
