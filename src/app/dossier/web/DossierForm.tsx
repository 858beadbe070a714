import { Button, Checkbox, TextInput } from '@mantine/core'
import { IconFileCertificate } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'

import { subtractYear, toIsoDay } from '../../../contract/dates.ts'
import { Problem } from '../../../contract/problem.ts'
import { configuration } from '../../../platform/web/configuration.ts'
import { errorMessage } from '../../../platform/web/failures.ts'
import { Notice } from '../../../platform/web/kit/Notice.tsx'
import { DOSSIER_PARTS, type DossierPart, PART_TEXTS } from '../rules.ts'
import { useCreateDossier } from './queries.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './Dossier.module.css'

type Days = Readonly<Record<'on' | 'from' | 'to', string>>

const DAY_FIELDS = {
  on: { label: 'State at the end of', description: 'Today by default' },
  from: { label: 'Changes from', description: 'A year before by default' },
  to: { label: 'Changes to', description: 'The day of the state by default' },
} as const

/** What is wrong with the days, by field. */
const findDayErrors = ({ on, from, to }: Days, today: string): Partial<Days> => ({
  ...(on === '' ? { on: 'Enter a day' } : on > today ? { on: 'Choose today or an earlier day' } : {}),
  ...(to === '' ? { to: 'Enter a day' } : to > today ? { to: 'Choose today or an earlier day' } : {}),
  ...(from === '' ? { from: 'Enter a day' } : to !== '' && from > to ? { from: 'Choose a day that is not after the last one' } : {}),
})

/** The errors of the server by field. */
const getServerErrors = (error: unknown): Record<string, string> =>
  Object.fromEntries((error instanceof Problem ? (error.errors ?? []) : []).map(({ path, message }) => [path, message]))

/** The day, the period and the parts of a new dossier. */
export const DossierForm = ({ charter }: { charter: string }) => {
  const [today] = useState(() => toIsoDay(new Date(), configuration.timeZone))
  const [days, setDays] = useState<Days>({ on: today, from: subtractYear(today), to: today })
  const [parts, setParts] = useState<readonly DossierPart[]>(DOSSIER_PARTS)
  const [isTried, setTried] = useState(false)
  const creating = useCreateDossier()
  const ownErrors: Record<string, string> = {
    ...findDayErrors(days, today),
    ...(parts.length === 0 ? { parts: 'Choose at least one part' } : {}),
  }
  const errors = { ...getServerErrors(creating.error), ...(isTried ? ownErrors : {}) }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setTried(true)
    if (Object.keys(ownErrors).length === 0) creating.mutate({ charter, ...days, parts: [...parts] })
    else event.currentTarget.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }
  const change = (name: keyof Days, value: string) => {
    creating.reset()
    // The period follows the day until it is chosen.
    setDays((before) => ({ ...before, [name]: value, ...(name === 'on' && before.to === before.on ? { to: value } : {}) }))
  }
  const toggle = (part: DossierPart) => {
    creating.reset()
    setParts((before) => DOSSIER_PARTS.filter((one) => (one === part ? !before.includes(one) : before.includes(one))))
  }
  const isOtherError =
    creating.error !== null && Object.keys(getServerErrors(creating.error)).every((path) => !(path in DAY_FIELDS) && path !== 'parts')
  return (
    <form
      className={`${layoutClasses.card} ${layoutClasses.bottomMargin28} ${classes.form}`}
      onSubmit={submit}
      noValidate
      aria-label="New dossier"
    >
      <div className={classes.days}>
        {(Object.keys(DAY_FIELDS) as (keyof Days)[]).map((name) => (
          <TextInput
            key={name}
            {...DAY_FIELDS[name]}
            required
            type="date"
            max={today}
            value={days[name]}
            error={errors[name]}
            onChange={({ currentTarget }) => change(name, currentTarget.value)}
          />
        ))}
      </div>
      <fieldset className={classes.parts}>
        <legend className={`${textClasses.label} ${layoutClasses.bottomMargin8}`}>Parts</legend>
        {DOSSIER_PARTS.map((part) => (
          <Checkbox
            key={part}
            label={PART_TEXTS[part].title}
            description={PART_TEXTS[part].contains}
            checked={parts.includes(part)}
            onChange={() => toggle(part)}
          />
        ))}
      </fieldset>
      {errors['parts'] === undefined ? null : (
        <p className={`${textClasses.error} ${textClasses.smallFont}`} role="alert">
          {errors['parts']}
        </p>
      )}
      {isOtherError ? (
        <Notice tone="bad" live>
          {errorMessage(creating.error)}
        </Notice>
      ) : null}
      <div>
        <Button
          type="submit"
          size="md"
          loading={creating.isPending}
          leftSection={<IconFileCertificate size={18} stroke={1.75} aria-hidden />}
        >
          Make Dossier
        </Button>
      </div>
    </form>
  )
}
