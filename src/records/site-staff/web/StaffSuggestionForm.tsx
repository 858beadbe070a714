import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import { z } from 'zod'

import type { CustomInputProps, FieldsByPath } from '../../../platform/web/form/fields.ts'
import { SuggestionForm } from '../../../platform/web/form/SuggestionForm.tsx'
import { useSuggestion } from '../../../platform/web/record-features.tsx'
import type { Person } from '../../people/contract.ts'
import { PersonPicker } from '../../people/web/public/PersonPicker.tsx'
import { useRoles } from '../../people/web/queries.ts'
import type { SiteFormProps } from '../../sites/web/public/use-site-form.ts'
import { RoleSelect } from './RoleSelect.tsx'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import classes from './StaffSuggestionForm.module.css'

/** A person in a role, as the form's key: the `_id` of each. */
const toKey = (person: string, role: string): string => `${person} ${role}`
const toList = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : [])
/** Names of people and roles in the form, by `_id`. */
const names = new Map<string, string>()
/** The labels in an earlier suggestion: 'Principal: Ada Lane'. */
const labels = new Map<string, string>()
const formatKey = (key: string): string => {
  const [person = '', role = ''] = key.split(' ')
  const name = names.get(person)
  return name === undefined ? (labels.get(key) ?? 'Someone') : [name, names.get(role)].filter(Boolean).join(', ')
}

const StaffInput = ({ value, before, onChange }: CustomInputProps) => {
  const { data: roles = [] } = useRoles()
  const [person, setPerson] = useState<Person | null>(null)
  const [role, setRole] = useState('')
  const held = toList(value)
  const shown = [...new Set([...toList(before), ...held])]
  const add = () => {
    if (person === null || role === '') return
    names.set(person._id, person.name)
    names.set(role, roles.find(({ _id }) => _id === role)?.name ?? '')
    onChange([...new Set([...held, toKey(person._id, role)])])
    setPerson(null)
    setRole('')
  }
  return (
    <div className={layoutClasses.shrinkable}>
      <ul className={layoutClasses.bottomMargin20} aria-label="Staff">
        {shown.map((key) => {
          const isHeld = held.includes(key)
          return (
            <li
              key={key}
              className={`${layoutClasses.row} ${layoutClasses.lineBelow} ${layoutClasses.spaceBetween} ${classes.row}`}
              data-removed={!isHeld || undefined}
            >
              <span>
                {isHeld ? formatKey(key) : <del>{formatKey(key)}</del>}
                {toList(before).includes(key) ? null : ' (new)'}
              </span>
              <Button
                variant="default"
                size="compact-md"
                aria-label={`${isHeld ? 'Remove' : 'Keep'} ${formatKey(key)}`}
                onClick={() => onChange(isHeld ? held.filter((one) => one !== key) : [...held, key])}
              >
                {isHeld ? 'Remove' : 'Keep'}
              </Button>
            </li>
          )
        })}
      </ul>
      <div className={`${layoutClasses.row} ${layoutClasses.wrapping} ${layoutClasses.alignEnd} ${classes.add}`}>
        <PersonPicker label="Who should be added?" chosen={person} onChoose={setPerson} />
        <RoleSelect value={role} onChange={setRole} />
        <Button variant="default" disabled={person === null || role === ''} onClick={add}>
          Add to the suggestion
        </Button>
      </div>
    </div>
  )
}

const FIELDS: FieldsByPath = {
  people: {
    label: 'Staff',
    kind: 'own',
    isGroup: true,
    hasHiddenLabel: true,
    span: 6,
    Input: StaffInput,
    toText: (value) => toList(value).map(formatKey).join('; '),
  },
}
const SECTIONS = [{ title: 'Staff', about: 'Who has which role at this site', fields: ['people'] }]
const SCHEMA = z.object({ people: z.array(z.string()) })

/** Suggests adding people to the staff of a site, and removing them. */
export const StaffSuggestionForm = ({ record: site, draftKey, onClose }: SiteFormProps) => {
  const { _id, displayName, version, slug, people, updatedBy, updatedAt } = site
  const suggestion = useSuggestion({ kind: 'site', _id, name: displayName, version, prefix: 'people', site: slug })
  const record = useMemo(() => {
    for (const { person, role_match: role } of people) names.set(person._id, person.name).set(role._id, role.name)
    const held = people.map(({ person, role_match: role }) => toKey(person._id, role._id))
    return { values: { people: held }, version, updatedBy, updatedAt }
  }, [people, version, updatedBy, updatedAt])
  if (suggestion === null || suggestion === 'loading') return null
  const suggested = Object.entries(suggestion.values).map(([path, isHeld]) => ({ key: path.replace('.', ' '), isHeld, path }))
  for (const { key, path } of suggested) labels.set(key, suggestion.labels[path] ?? '')
  const unchanged = record.values.people.filter((key) => !suggested.some((one) => one.key === key && one.isHeld === false))
  const start = [...new Set([...unchanged, ...suggested.flatMap(({ key, isHeld }) => (isHeld === true ? [key] : []))])]
  const send = (body: Readonly<Record<string, unknown>>, note: string | null) => {
    const suggestedKeys = toList(body['people'])
    const changes: Record<string, Record<string, boolean>> = {}
    for (const key of new Set([...record.values.people, ...suggestedKeys])) {
      if (record.values.people.includes(key) === suggestedKeys.includes(key)) continue
      const [person = '', role = ''] = key.split(' ')
      changes[person] = { ...changes[person], [role]: suggestedKeys.includes(key) }
    }
    return suggestion.send(changes, note)
  }
  return (
    <SuggestionForm
      suggestion={{ ...suggestion, values: suggested.length > 0 ? { people: start } : {}, send }}
      draftKey={draftKey}
      fields={FIELDS}
      sections={SECTIONS}
      schema={SCHEMA}
      record={record}
      back={displayName}
      onCancel={onClose}
    />
  )
}
