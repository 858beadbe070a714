import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'

import { matchesText } from '../../../contract/text-match.ts'
import type { CustomInputProps } from '../../../platform/web/form/fields.ts'
import { Dialog } from '../../../platform/web/kit/Dialog.tsx'
import { useSiteSummaries } from '../../sites/web/queries.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './SisForm.module.css'

const MAX_RESULTS = 10

interface ChangeSiteModalProps {
  current: string
  onChange: (site: string) => void
  onClose: () => void
}

/** Finds another location by name. The current one is not offered. */
const ChangeSiteModal = ({ current, onChange, onClose }: ChangeSiteModalProps) => {
  const { data: sites = [], error, isPending } = useSiteSummaries()
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<string | null>(null)
  const found =
    typed.trim() === ''
      ? []
      : sites.filter(({ _id, name, displayName }) => _id !== current && matchesText(typed, [displayName, name])).slice(0, MAX_RESULTS)
  return (
    <Dialog
      title="Change Associated Site"
      confirmLabel="Change Location"
      isBusy={false}
      error={error}
      onConfirm={() => {
        if (chosen === null) return
        onChange(chosen)
        onClose()
      }}
      onClose={onClose}
    >
      <TextInput
        label="Search sites"
        type="search"
        placeholder="Type a name"
        autoComplete="off"
        data-autofocus
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setChosen(null)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && chosen === null) event.preventDefault()
        }}
      />
      <div role="status" className={textClasses.caption}>
        {typed.trim() !== '' && !isPending && found.length === 0 ? 'No sites match this name.' : null}
        {typed.trim() !== '' && isPending ? 'Searching…' : null}
      </div>
      {found.length ? (
        <fieldset className={`${layoutClasses.scrolling} ${classes.results}`}>
          <legend className={`${textClasses.strong} ${classes.legend}`}>Sites</legend>
          {found.map(({ _id, displayName, address }) => (
            <label
              key={_id}
              className={`${layoutClasses.row} ${layoutClasses.lineAbove} ${layoutClasses.pressable} ${classes.choice}`}
              data-chosen={chosen === _id || undefined}
            >
              <input type="radio" name="site" aria-label={displayName} checked={chosen === _id} onChange={() => setChosen(_id)} />
              <span className={layoutClasses.column}>
                <strong>{displayName}</strong>
                <span className={textClasses.caption}>{[address.city, address.state].filter(Boolean).join(', ')}</span>
              </span>
            </label>
          ))}
        </fieldset>
      ) : null}
    </Dialog>
  )
}

/** The location of a SIS site, with the dialog that changes it. */
export const AssociatedSiteInput = ({ id, value, describedBy, onChange }: CustomInputProps) => {
  const { data: sites = [] } = useSiteSummaries()
  const [isOpen, setOpen] = useState(false)
  const current = typeof value === 'string' ? value : ''
  return (
    <div className={`${layoutClasses.toolbar} ${classes.site}`}>
      <span>{sites.find(({ _id }) => _id === current)?.displayName ?? '…'}</span>
      <Button id={id} variant="default" size="compact-md" aria-describedby={describedBy} onClick={() => setOpen(true)}>
        Change Associated Site
      </Button>
      {isOpen ? <ChangeSiteModal current={current} onChange={onChange} onClose={() => setOpen(false)} /> : null}
    </div>
  )
}
