import { Button, VisuallyHidden } from '@mantine/core'
import { IconSelector } from '@tabler/icons-react'
import { useState } from 'react'

import { Avatar, VacantAvatar } from '../../../platform/web/kit/Avatar.tsx'
import { ButtonPanel } from '../../../platform/web/kit/ButtonPanel.tsx'
import { PersonPicker } from '../../../records/people/web/public/PersonPicker.tsx'
import type { Holder } from './reorganize.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './PersonSelect.module.css'

interface PersonSelectProps {
  /** What the person is selected for. */
  label: string
  chosen: Holder | null
  /** The second line: their number of sites. */
  note?: string | undefined
  /** Whether the person differs from that of the other rows. */
  isOther?: boolean
  isLarge?: boolean
  excludedId?: string | undefined
  isVacant?: boolean
  onChoose: (person: Holder) => void
  /** Absent if the position cannot be left vacant. */
  onLeaveVacant?: (() => void) | undefined
}

/** A person as the value of a field; pressing it opens a search for another one. */
export const PersonSelect = (props: PersonSelectProps) => {
  const { label, chosen, note, isOther = false, isLarge = false, excludedId, isVacant = false, onChoose, onLeaveVacant } = props
  const [isOpen, setOpen] = useState(false)
  const size = isLarge ? 44 : 22
  const name = chosen?.name ?? (isVacant ? 'Vacant' : null)
  return (
    <ButtonPanel
      isOpen={isOpen}
      onToggle={setOpen}
      label={label}
      className={classes.panel}
      width={340}
      position="bottom-start"
      button={
        <button
          type="button"
          className={`${layoutClasses.option} ${layoutClasses.spaced} ${textClasses.smallFont} ${classes.button}`}
          data-large={isLarge || undefined}
          onClick={() => setOpen(!isOpen)}
        >
          {chosen ? <Avatar name={chosen.name} size={size} /> : <VacantAvatar size={size} />}
          <span className={layoutClasses.fillingColumn}>
            <VisuallyHidden component="span">{label}: </VisuallyHidden>
            <span className={name === null ? classes.placeholder : classes.name}>
              {isOther ? <mark>{name}</mark> : (name ?? 'Choose someone')}
            </span>
            {note ? <span className={classes.note}>{note}</span> : null}
          </span>
          <IconSelector size={17} stroke={1.75} aria-hidden className={textClasses.dimmed} />
        </button>
      }
    >
      {isOpen ? (
        <>
          <PersonPicker
            label={label}
            chosen={null}
            isFirst
            {...(excludedId === undefined ? {} : { excludedId })}
            onChoose={(person) => {
              setOpen(false)
              if (person) onChoose(person)
            }}
          />
          {onLeaveVacant ? (
            <Button
              fullWidth
              variant="default"
              mt="xs"
              onClick={() => {
                setOpen(false)
                onLeaveVacant()
              }}
            >
              Leave Vacant
            </Button>
          ) : null}
        </>
      ) : null}
    </ButtonPanel>
  )
}
