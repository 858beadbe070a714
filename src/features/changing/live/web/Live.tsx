import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

import { useUser } from '../../../../platform/web/caller.ts'
import { hasJustWritten } from '../../../../platform/web/client.ts'
import { Avatar } from '../../../../platform/web/kit/Avatar.tsx'
import { reportRecordsChanged } from '../../../../platform/web/live.ts'
import type { LiveChange } from '../contract.ts'
import { announceForms } from './announce-forms.ts'
import type { LiveEvent } from './read-stream.ts'
import { createRefresher } from './refresh-queries.ts'
import { shareStream } from './share-stream.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import classes from './Live.module.css'

const SHOWN_MS = 6000

/** 'Changed by Ana Ruiz and 2 others just now'. */
const ChangedBy = ({ by, ownName }: { by: readonly (string | null)[]; ownName: string | undefined }) => {
  const [first, ...others] = by.flatMap((name) => name ?? [])
  if (first === undefined) return <span>Changed just now</span>
  const rest = others.length === 0 ? '' : others.length === 1 ? ` and ${others[0]}` : ` and ${others.length} others`
  return (
    <>
      <Avatar name={first} size={24} />
      <span className={layoutClasses.breakable}>
        Changed by <strong>{first === ownName ? 'you' : first}</strong>
        {rest} just now
      </span>
    </>
  )
}

/** Keeps the open page as the records are, and says who has just changed what it shows. */
export const Live = () => {
  const client = useQueryClient()
  const ownName = useUser()?.name
  const [shown, setShown] = useState<readonly (string | null)[] | null>(null)
  useEffect(() => {
    const refresher = createRefresher(client, setShown)
    const forms = announceForms()
    /** A tab reads what its own save changed by itself. */
    const isOfOthers = ({ own }: LiveChange): boolean => !own || !hasJustWritten()
    const handle = ({ name, data }: LiveEvent): void => {
      if (name === 'changes') {
        const changes = data.changes.filter(isOfOthers)
        if (changes.length === 0) return
        reportRecordsChanged(changes)
        refresher.add({ changes })
      } else if (name === 'many' || name === 'reset') {
        reportRecordsChanged('any')
        refresher.add(name === 'many' ? { kinds: data.kinds, isMany: true } : { isEverything: true })
      } else if (name === 'kinds') refresher.add({ kinds: data.kinds })
      else if (name === 'editors') forms.setEditors(data.form, data.editors)
      else if (name === 'announce') forms.announce()
    }
    const stopStream = shareStream(handle)
    return () => {
      stopStream()
      forms.stop()
      refresher.stop()
    }
  }, [client])
  useEffect(() => {
    const timer = setTimeout(() => setShown(null), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [shown])
  return (
    <div role="status" className={classes.place} data-print="no">
      {shown === null ? null : (
        <p className={`${layoutClasses.spaced} ${classes.notice}`}>
          <ChangedBy by={shown} ownName={ownName} />
        </p>
      )}
    </div>
  )
}
