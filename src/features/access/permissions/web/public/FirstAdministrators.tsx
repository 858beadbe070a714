import { Button, Checkbox, Radio, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'

import { formatCount } from '../../../../../contract/format.ts'
import { useUser } from '../../../../../platform/web/caller.ts'
import { send } from '../../../../../platform/web/client.ts'
import { configuration } from '../../../../../platform/web/configuration.ts'
import { errorMessage } from '../../../../../platform/web/failures.ts'
import { withSignIn } from '../../../../../platform/web/form/open-forms.ts'
import { queryClient } from '../../../../../platform/web/queries.ts'
import { showSuccess } from '../../../../../platform/web/success-notice.ts'
import { grantPermission } from '../../contract.ts'
import { ADMIN_LEVELS, getGrantableLevels, NEW_ADMIN_NAME, readPeople, type NamedAddress } from '../../rules.ts'
import { CandidateSearch } from '../CandidateSearch.tsx'
import { formatDifference, getMailNote, type Grantee, MakeAdminModal } from '../MakeAdminModal.tsx'

import layoutClasses from '../../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../../platform/web/kit/Text.module.css'

interface Grant {
  readonly azureID: string
  readonly problem: string | null
}

/** Grants a level to several people, one after the other; a refusal of one does not stop the others. */
const grantAll = async (people: readonly NamedAddress[], level: number, invite: boolean): Promise<Grant[]> => {
  const grants: Grant[] = []
  for (const { name, azureID } of people) {
    const accessLevel = ADMIN_LEVELS.find((one) => one === level)
    const userInfo = { azureID, name, superAdmin: false, accessName: NEW_ADMIN_NAME, accessLevel }
    const problem = await withSignIn(() => send(grantPermission, { body: { applicationID: configuration.appId, userInfo, invite } })).then(
      () => null,
      errorMessage,
    )
    grants.push({ azureID, problem })
  }
  return grants
}

/** A pasted list of people who become administrators of one level together. */
const PastedList = ({ ownLevel }: { ownLevel: number }) => {
  const levels = getGrantableLevels(ownLevel)
  const [text, setText] = useState('')
  const [level = ownLevel, setLevel] = useState(levels.at(-1))
  const [invites, setInvites] = useState(configuration.hasMail)
  const { people, unreadable } = readPeople(text)
  const granting = useMutation({
    mutationFn: () => grantAll(people, level, invites),
    onSuccess: async (grants) => {
      const refused = grants.filter(({ problem }) => problem !== null)
      setText(refused.map(({ azureID }) => azureID).join('\n'))
      const made = grants.length - refused.length
      if (made > 0) showSuccess({ text: `${formatCount(made, ['administrator', 'administrators'])} added.` })
      await queryClient.invalidateQueries()
    },
  })
  return (
    <div className={layoutClasses.stack}>
      <Textarea
        label="Or paste a list"
        description="A work email on each line, with or without a name."
        autosize
        minRows={3}
        maxRows={12}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {unreadable.length > 0 ? (
        <p className={textClasses.error}>
          No email address in: {unreadable.slice(0, 5).join(', ')}
          {unreadable.length > 5 ? ` and ${unreadable.length - 5} more` : ''}
        </p>
      ) : null}
      <Radio.Group label="Their level" value={String(level)} onChange={(value) => setLevel(Number(value))}>
        <div className={`${layoutClasses.stack} ${layoutClasses.topMargin8}`}>
          {levels.map((one) => (
            <Radio key={one} value={String(one)} label={`Level ${one}`} description={formatDifference(one, levels)} />
          ))}
        </div>
      </Radio.Group>
      <Checkbox
        label="Send them an invitation by email"
        description={getMailNote()}
        checked={invites}
        onChange={(event) => setInvites(event.currentTarget.checked)}
      />
      <div role="alert">
        {granting.data?.map(({ azureID, problem }) =>
          problem === null ? null : (
            <p key={azureID} className={textClasses.error}>
              {azureID}: {problem}
            </p>
          ),
        )}
      </div>
      <div className={layoutClasses.wrappingRow}>
        <Button variant="default" disabled={people.length === 0} loading={granting.isPending} onClick={() => granting.mutate()}>
          {people.length === 0 ? 'Make Administrators' : `Make ${formatCount(people.length, ['Administrator', 'Administrators'])}`}
        </Button>
      </div>
    </div>
  )
}

/** Makes the first administrators: found by name or address, or from a pasted list. */
export const FirstAdministrators = () => {
  const user = useUser()
  const [grantee, setGrantee] = useState<Grantee | null>(null)
  const field = useRef<HTMLInputElement>(null)
  if (!user) return null
  return (
    <>
      <CandidateSearch ownAddress={user.azureID} inputRef={field} onChoose={setGrantee} />
      <PastedList ownLevel={user.accessLevel} />
      {grantee ? (
        <MakeAdminModal
          candidate={grantee}
          ownLevel={user.accessLevel}
          isInvitation
          onGranted={({ personID, accessLevel }) => {
            showSuccess({ text: `${personID.name} is now a level ${accessLevel} administrator.` })
            setGrantee(null)
            void queryClient.invalidateQueries()
            requestAnimationFrame(() => field.current?.focus())
          }}
          onClose={() => setGrantee(null)}
        />
      ) : null}
    </>
  )
}
