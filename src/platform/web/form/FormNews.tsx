import { ActionIcon, Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { use, useEffect, useId } from 'react'

import { RECORD_NOUNS } from '../../../contract/records.ts'
import { Avatar } from '../kit/Avatar.tsx'
import { editorsOfForms, type FormRecord, FormRecordContext, registerForm } from '../live.ts'
import { useStore } from '../store.ts'
import { formatValue, getLabel } from './fields.ts'
import { NowAndNew } from './NowAndNew.tsx'
import type { FormState } from './use-edit-form.ts'

import layoutClasses from '../kit/Layout.module.css'
import textClasses from '../kit/Text.module.css'
import classes from './FormNews.module.css'

/** More would cover the form; the comparison shows all. */
const MAX_NAMED = 3

/** 'Ana Ruiz is editing this site'. */
const Editors = ({ record }: { record: FormRecord }) => {
  const key = useId()
  const names = useStore(editorsOfForms).get(key) ?? []
  useEffect(() => registerForm(key, record), [key, record])
  const [first] = names
  if (first === undefined) return null
  const who = names.length > 2 ? `${first} and ${names.length - 1} others` : names.join(' and ')
  return (
    <p className={`${layoutClasses.row} ${classes.box} ${classes.editors}`}>
      {names.slice(0, 3).map((name) => (
        <Avatar key={name} name={name} size={24} />
      ))}
      <span className={layoutClasses.breakable}>
        <strong>{who}</strong> {names.length === 1 ? 'is' : 'are'} editing this {RECORD_NOUNS[record.kind][0]}
      </span>
    </p>
  )
}

type NewsForm = Pick<FormState, 'fields' | 'base' | 'savedElsewhere' | 'takeOverSaved' | 'postponeSaved' | 'isSaving'>

/** What someone else has just saved, and what that means for the unsaved changes. */
const Saved = ({ form, record }: { form: NewsForm; record: FormRecord }) => {
  const { fields, base, savedElsewhere } = form
  if (!savedElsewhere) return null
  const { theirs, merge } = savedElsewhere
  const paths = Object.keys(fields).filter((path) => [...merge.theirs, ...merge.conflicts, ...merge.combined].includes(path))
  const both = merge.conflicts.map((path) => getLabel(fields, path))
  return (
    <section className={`${classes.box} ${classes.saved}`} aria-label="Saved in the meantime">
      <div className={`${layoutClasses.row} ${classes.head}`}>
        <Avatar name={theirs.updatedBy ?? '?'} size={24} />
        <strong className={layoutClasses.filling}>
          {theirs.updatedBy ?? 'Someone else'} just saved this {RECORD_NOUNS[record.kind][0]}
        </strong>
        <ActionIcon aria-label="Close notice" onClick={form.postponeSaved}>
          <IconX size={18} stroke={1.75} />
        </ActionIcon>
      </div>
      <ul>
        {paths.slice(0, MAX_NAMED).map((path) => (
          <li key={path} className={layoutClasses.breakable}>
            <span className={textClasses.caption}>{getLabel(fields, path)}:</span>{' '}
            <NowAndNew now={formatValue(fields[path], base[path])} next={formatValue(fields[path], theirs.values[path])} />
          </li>
        ))}
        {paths.length > MAX_NAMED ? <li className={textClasses.caption}>and {paths.length - MAX_NAMED} more fields</li> : null}
      </ul>
      <p className={textClasses.dimmed}>
        {both.length === 0
          ? 'Your changes stay as they are.'
          : `You changed ${both.slice(0, MAX_NAMED).join(', ')} too. Choose what to keep now, or when you save.`}
      </p>
      <div>
        <Button size="compact-md" variant="default" onClick={form.takeOverSaved}>
          {both.length === 0 ? 'Show in the Form' : 'Compare'}
        </Button>
      </div>
    </section>
  )
}

/** News about the record of a form, over the page so that nothing in the form moves. */
export const FormNews = ({ form, isSuggestion }: { form: NewsForm; isSuggestion: boolean }) => {
  const record = use(FormRecordContext)
  if (!record) return null
  return (
    <div className={classes.place} role="status" data-print="no">
      {form.isSaving ? null : <Saved form={form} record={record} />}
      {isSuggestion ? null : <Editors record={record} />}
    </div>
  )
}
