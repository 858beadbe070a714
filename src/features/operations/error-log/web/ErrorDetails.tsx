import { Button } from '@mantine/core'
import { IconCheck, IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'

import { formatMoment } from '../../../../contract/dates.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { CopyButton } from '../../../../platform/web/kit/CopyButton.tsx'
import { Facts } from '../../../../platform/web/kit/Facts.tsx'
import { RowSkeleton } from '../../../../platform/web/list/ListSkeleton.tsx'
import { LoadedList } from '../../../../platform/web/list/LoadedList.tsx'
import type { ErrorDetail, ErrorGroup } from '../contract.ts'
import { useErrorsOfGroup, useDismissErrors } from './queries.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import logClasses from '../../../../platform/web/kit/LogDetails.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './ErrorDetails.module.css'

/** Indents JSON; returns other text unchanged. */
const formatJson = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

const Block = ({ title, text }: { title: string; text: string | null }) => {
  if (text === null || text === '') return null
  const shown = formatJson(text)
  return (
    <section className={layoutClasses.topMargin16} aria-label={title}>
      <h2 className={`${textClasses.label} ${layoutClasses.row} ${classes.title}`}>
        {title}
        <CopyButton value={shown} what={title.toLowerCase()} />
      </h2>
      <pre className={`${layoutClasses.card} ${layoutClasses.breakable} ${layoutClasses.fullWidth} ${logClasses.code} ${classes.text}`}>
        {shown}
      </pre>
    </section>
  )
}

const Detail = ({ error }: { error: ErrorDetail }) => {
  const { timeZone } = configuration
  return (
    <>
      <Facts
        variant="line"
        facts={[
          { label: 'When', value: formatMoment(error.at, timeZone) },
          { label: 'Who', value: error.name, emptyText: 'Not signed in' },
          { label: 'Where', value: error.errorLocation },
          { label: 'Reported by', value: error.context },
        ]}
      />
      <Block title="Message" text={error.errorMessage} />
      <Block title="Stack" text={error.stackTrace} />
      <Block title="Request" text={error.requestData} />
      <Block title="Response" text={error.responseData} />
    </>
  )
}

const ErrorPager = ({ all, group }: { all: readonly ErrorDetail[]; group: ErrorGroup }) => {
  const [at, setAt] = useState(0)
  const marking = useDismissErrors()
  const error = all[at] ?? all[0]
  if (!error) return null
  return (
    <div className={`${layoutClasses.railGround} ${logClasses.details}`}>
      <div className={`${layoutClasses.toolbar} ${layoutClasses.bottomMargin16}`}>
        <span className={`${textClasses.note} ${textClasses.figures} ${classes.position}`}>
          {at + 1} of the {all.length} most recent
        </span>
        <Button
          variant="default"
          leftSection={<IconChevronLeft size={17} stroke={1.75} />}
          disabled={at + 1 >= all.length}
          onClick={() => setAt(at + 1)}
        >
          Older
        </Button>
        <Button
          variant="default"
          rightSection={<IconChevronRight size={17} stroke={1.75} />}
          disabled={at === 0}
          onClick={() => setAt(at - 1)}
        >
          Newer
        </Button>
        {group.seen ? null : (
          <Button
            className={`${layoutClasses.pushedToEnd} ${classes.dismiss}`}
            leftSection={<IconCheck size={17} stroke={1.75} />}
            loading={marking.isPending}
            onClick={() => marking.mutate(group.fingerprint)}
          >
            Dismiss Until It Happens Again
          </Button>
        )}
      </div>
      <Detail error={error} />
    </div>
  )
}

/** The last errors of a group, one at a time, latest first. */
export const ErrorDetails = ({ group }: { group: ErrorGroup }) => (
  <LoadedList query={useErrorsOfGroup(group.fingerprint)} skeleton={<RowSkeleton />}>
    {(all) => <ErrorPager all={all} group={group} />}
  </LoadedList>
)
