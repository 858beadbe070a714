import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { send } from '../../../../../platform/web/client.ts'
import { TextLink } from '../../../../../platform/web/kit/TextLink.tsx'
import { callQueryOptions, getQueryKey } from '../../../../../platform/web/queries.ts'
import { closeNews, readNews } from '../../contract.ts'

import layoutClasses from '../../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../../platform/web/kit/Text.module.css'
import classes from './NewsCard.module.css'

/** What is new after an upgrade, until it is closed. */
export const NewsCard = () => {
  const { data } = useQuery(callQueryOptions(readNews))
  const client = useQueryClient()
  const closing = useMutation({
    mutationFn: () => send(closeNews),
    onSuccess: () => client.setQueryData(getQueryKey(readNews), { version: data?.version ?? '', lines: [] }),
  })
  if (!data || data.lines.length === 0) return null
  return (
    <section className={`${layoutClasses.card} ${classes.card}`} aria-labelledby="news">
      <div className={layoutClasses.spreadRow}>
        <h2 id="news">What’s new</h2>
        <Button variant="default" loading={closing.isPending} onClick={() => closing.mutate()}>
          Got it
        </Button>
      </div>
      <ul className={classes.lines}>
        {data.lines.map(({ text, to }) => (
          <li key={text}>
            {text} {to === null ? null : <TextLink to={to}>Open</TextLink>}
          </li>
        ))}
      </ul>
      {closing.isError ? <p className={textClasses.error}>It could not be closed. Please try again.</p> : null}
    </section>
  )
}
