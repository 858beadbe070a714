import { Button, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import type { Ref } from 'react'

import { isPassing, isSignedOut, sayFailure } from '../../../platform/web/failures.ts'
import { Avatar } from '../../../platform/web/kit/Avatar.tsx'
import { Marked } from '../../../platform/web/kit/Marked.tsx'
import { Notice } from '../../../platform/web/kit/Notice.tsx'
import { useTyped } from '../../../platform/web/list/useTyped.ts'
import { markedText } from '../../../platform/web/marks.ts'
import { MOST_CANDIDATES } from '../contract.ts'
import type { Candidate } from '../contract.ts'
import { isAdministrator } from '../rules.ts'
import type { Grantee } from './MakeAdminModal.tsx'
import { useCandidates } from './queries.ts'

import classes from './PermissionsPage.module.css'

const hasAddress = (candidate: Candidate): candidate is Grantee => candidate.azureID !== null

const countOf = (found: number): string => {
  if (found === 0) return 'Nobody found'
  if (found >= MOST_CANDIDATES) return `The best ${found} found; type on to narrow them down`
  return `${found} ${found === 1 ? 'person' : 'people'} found`
}

interface CandidateRowProps {
  candidate: Candidate
  typed: string
  isOwn: boolean
  onChoose: (whom: Grantee) => void
}

const CandidateRow = ({ candidate, typed, isOwn, onChoose }: CandidateRowProps) => {
  const { name, azureID, detail, accessLevel } = candidate
  const state = isOwn ? 'You' : isAdministrator(accessLevel) ? `Administrator, level ${accessLevel}` : 'No email on file'
  return (
    <li className={classes.row}>
      <Avatar name={name} />
      <span className={classes.words}>
        <span className={classes.name}>
          <Marked stretches={markedText(name, typed, [])} />
        </span>
        <span className={classes.detail}>
          {detail === null ? null : (
            <span>
              <Marked stretches={markedText(detail, typed, [])} />
            </span>
          )}
          {azureID === null || azureID === name ? null : (
            <span>
              <Marked stretches={markedText(azureID, typed, [])} />
            </span>
          )}
        </span>
      </span>
      <span className={classes.way}>
        {hasAddress(candidate) && !isOwn && !isAdministrator(accessLevel) ? (
          <Button variant="default" aria-label={`Make Admin: ${name}`} onClick={() => onChoose(candidate)}>
            Make Admin
          </Button>
        ) : (
          <span className={classes.state}>{state}</span>
        )}
      </span>
    </li>
  )
}

interface CandidateSearchProps {
  /** The address of whoever searches. */
  own: string
  field: Ref<HTMLInputElement>
  onChoose: (whom: Grantee) => void
}

/** Search people, Make Admin (section 2). */
export const CandidateSearch = ({ own, field, onChoose }: CandidateSearchProps) => {
  const typed = useTyped()
  const { data, error, isLong, isOf, isFetching, refetch } = useCandidates(typed.text)
  const found = isLong ? (data ?? []) : []
  const failed = isLong && error && !isSignedOut(error) ? error : null
  return (
    <search className={classes.search} data-print="no">
      <TextInput
        ref={field}
        label="Make someone an administrator"
        placeholder="Name or work address"
        type="text"
        inputMode="search"
        autoComplete="off"
        spellCheck={false}
        leftSection={<IconSearch size={18} stroke={1.75} aria-hidden />}
        value={typed.text}
        onChange={({ currentTarget: { value } }) => typed.type(value)}
        onFocus={typed.enter}
        onBlur={typed.leave}
        onKeyDown={(event) => {
          if (event.key === 'Escape') typed.type('')
        }}
      />
      <p role="status" className={classes.count}>
        {isOf && !failed ? countOf(found.length) : null}
      </p>
      {failed ? (
        <Notice tone="bad" live>
          <span>{sayFailure(failed)}</span>
          {isPassing(failed) ? (
            <Button size="compact-sm" variant="default" loading={isFetching} onClick={() => void refetch()}>
              Retry
            </Button>
          ) : null}
        </Notice>
      ) : null}
      {isOf && found.length === 0 ? (
        <p className={classes.nobody}>
          Nobody on file is called {typed.text.trim()}. A whole work address can be made an administrator before its owner has ever signed
          in.
        </p>
      ) : null}
      {found.length > 0 && !failed ? (
        <ul className={classes.rows} aria-label="People found" aria-busy={!isOf}>
          {found.map((candidate) => (
            <CandidateRow
              key={candidate.azureID ?? candidate.personDbID}
              candidate={candidate}
              typed={typed.text}
              isOwn={candidate.azureID?.toLowerCase() === own.toLowerCase()}
              onChoose={onChoose}
            />
          ))}
        </ul>
      ) : null}
    </search>
  )
}
