import { useQuery } from '@tanstack/react-query'

import { formatDay, toIsoDay } from '../../../../contract/dates.ts'
import { useCan } from '../../../../platform/web/caller.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { Notice } from '../../../../platform/web/kit/Notice.tsx'
import { Section } from '../../../../platform/web/kit/Section.tsx'
import { TextLink } from '../../../../platform/web/kit/TextLink.tsx'
import { callQueryOptions } from '../../../../platform/web/queries.ts'
import { type DisabledPerson, listDisabledPeople } from '../../contract.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'

const useDisabledPeople = (): readonly DisabledPerson[] => {
  const mayEdit = useCan('edit a person')
  const { data = [] } = useQuery({ ...callQueryOptions(listDisabledPeople), enabled: mayEdit, staleTime: 60_000 })
  return data
}

/** '2 roles and level 5 access'. */
const formatRemains = ({ roles, accessLevel }: DisabledPerson): string =>
  [
    ...(roles === 0 ? [] : [`${roles} ${roles === 1 ? 'role' : 'roles'}`]),
    ...(accessLevel === null ? [] : [`level ${accessLevel} access`]),
  ].join(' and ')

const formatDisabled = ({ disabledAt }: DisabledPerson): string => formatDay(toIsoDay(disabledAt, configuration.timeZone))

/** People whose accounts the directory has disabled but who still have roles. Renders nothing if there are none. */
export const DisabledPeopleSection = () => {
  const people = useDisabledPeople()
  if (people.length === 0) return null
  return (
    <Section title="Disabled in the directory" count={people.length} ruled>
      <p className={`${textClasses.detail} ${layoutClasses.readableWidth} ${layoutClasses.bottomMargin10}`}>
        They can no longer sign in. Open each to mark them as no longer employed, which ends what they still have.
      </p>
      <ul
        className={`${layoutClasses.vertical} ${layoutClasses.bottomMargin28} ${layoutClasses.gap6}`}
        aria-label="Disabled in the directory"
      >
        {people.map((person) => (
          <li key={person._id}>
            <TextLink to="/staff/$slug" params={{ slug: person.slug }}>
              {person.name}
            </TextLink>{' '}
            since {formatDisabled(person)}: {formatRemains(person)}
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** The notice on the page of a person whose account the directory has disabled. */
export const DisabledNotice = ({ person }: { person: string }) => {
  const disabled = useDisabledPeople().find(({ _id }) => _id === person)
  if (!disabled) return null
  return (
    <Notice tone="off">
      <strong>
        {disabled.name} was disabled in the directory on {formatDisabled(disabled)}
      </strong>
      <span>About to end: {formatRemains(disabled)}. Mark as no longer employed to end it.</span>
    </Notice>
  )
}
