import { Button } from '@mantine/core'
import type { Ref } from 'react'

import { highlightText } from '../../../../platform/web/highlight.ts'
import { Avatar } from '../../../../platform/web/kit/Avatar.tsx'
import { HighlightedText } from '../../../../platform/web/kit/HighlightedText.tsx'
import { LiveSearchField } from '../../../../platform/web/kit/LiveSearchField.tsx'
import { useListSearch } from '../../../../platform/web/list/use-list-search.ts'
import { MAX_CANDIDATES } from '../contract.ts'
import type { Candidate } from '../contract.ts'
import { isAdministrator } from '../rules.ts'
import type { Grantee } from './MakeAdminModal.tsx'
import { useCandidates } from './queries.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './PermissionsPage.module.css'

const hasAddress = (candidate: Candidate): candidate is Grantee => candidate.azureID !== null

interface CandidateRowProps {
  candidate: Candidate
  typed: string
  isOwn: boolean
  onChoose: (grantee: Grantee) => void
}

const CandidateRow = ({ candidate, typed, isOwn, onChoose }: CandidateRowProps) => {
  const { name, azureID, detail, accessLevel } = candidate
  const state = isOwn ? 'You' : isAdministrator(accessLevel) ? `Administrator, level ${accessLevel}` : 'No email on file'
  return (
    <li className={`${layoutClasses.grid} ${layoutClasses.lineAbove} ${classes.row}`}>
      <Avatar name={name} />
      <span className={`${layoutClasses.column} ${textClasses.lines}`}>
        <span className={textClasses.name}>
          <HighlightedText segments={highlightText(name, typed, [])} />
        </span>
        <span className={`${textClasses.detail} ${classes.detail}`}>
          {detail === null ? null : (
            <span>
              <HighlightedText segments={highlightText(detail, typed, [])} />
            </span>
          )}
          {azureID === null || azureID === name ? null : (
            <span>
              <HighlightedText segments={highlightText(azureID, typed, [])} />
            </span>
          )}
        </span>
      </span>
      <span className={`${layoutClasses.atEnd} ${classes.action}`} data-print="no">
        {hasAddress(candidate) && !isOwn && !isAdministrator(accessLevel) ? (
          <Button variant="default" aria-label={`Make Admin: ${name}`} onClick={() => onChoose(candidate)}>
            Make Admin
          </Button>
        ) : (
          <span className={`${textClasses.detail} ${classes.state}`}>{state}</span>
        )}
      </span>
    </li>
  )
}

interface CandidateSearchProps {
  ownAddress: string
  inputRef: Ref<HTMLInputElement>
  onChoose: (grantee: Grantee) => void
}

export const CandidateSearch = ({ ownAddress: own, inputRef: field, onChoose }: CandidateSearchProps) => {
  const typed = useListSearch()
  const query = useCandidates(typed.text)
  const { data, failed, isLong, isOf } = query
  const found = isLong ? (data ?? []) : []
  return (
    <search className={`${layoutClasses.block} ${layoutClasses.bottomMargin28} ${classes.search}`} data-print="no">
      <LiveSearchField
        field={field}
        label="Make someone an administrator"
        placeholder="Name or work email"
        search={typed}
        query={query}
        found={found.length}
        most={MAX_CANDIDATES}
      />
      {isOf && found.length === 0 ? (
        <p className={`${textClasses.dimmed} ${layoutClasses.readableWidth}`}>
          No one on file matches “{typed.text.trim()}”. To add someone who has not signed in, enter their complete work email.
        </p>
      ) : null}
      {found.length > 0 && !failed ? (
        <ul aria-label="People found" aria-busy={!isOf}>
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
