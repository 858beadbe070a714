import { Modal, Select } from '@mantine/core'
import { IconCheck, IconChevronDown, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'

import { siteSummariesQueryOptions, useSiteSummaries } from './queries.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import chips from '../../../platform/web/list/Filters.module.css'

/** The maximum number of matches shown while typing. */
const MAX_HITS = 30

interface SiteFilterProps {
  /** A slug or an `_id`. */
  chosen: string | undefined
  onChoose: (slug: string | undefined) => void
}

const SiteSearch = ({ onChoose }: { onChoose: (slug: string) => void }) => {
  const { data: sites } = useSiteSummaries()
  const data = useMemo(() => (sites ?? []).map(({ slug, displayName }) => ({ value: slug, label: displayName })), [sites])
  return (
    <Select
      label="Site"
      searchable
      data-autofocus
      openOnFocus={false}
      data={data}
      limit={MAX_HITS}
      placeholder={sites ? 'Type to find' : 'Loading...'}
      nothingFoundMessage="Nothing found"
      comboboxProps={{ withinPortal: true, shadow: 'md' }}
      onChange={(slug) => {
        if (slug !== null) onChoose(slug)
      }}
    />
  )
}

/** A filter by one site: there are too many for a dropdown, so a dialog finds it by name. */
export const SiteFilter = ({ chosen, onChoose }: SiteFilterProps) => {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const { data: sites } = useQuery({ ...siteSummariesQueryOptions, enabled: chosen !== undefined })
  const name = chosen === undefined ? undefined : (sites?.find(({ _id, slug }) => slug === chosen || _id === chosen)?.displayName ?? 'one')
  const close = () => {
    setOpen(false)
    requestAnimationFrame(() => button.current?.focus())
  }
  return (
    <span className={`${layoutClasses.positioned} ${layoutClasses.rigid} ${chips.pair}`}>
      <button
        ref={button}
        type="button"
        className={`${layoutClasses.inlineRow} ${layoutClasses.outlined} ${textClasses.small} ${chips.chip}`}
        aria-haspopup="dialog"
        data-on={name !== undefined || undefined}
        data-cross={name !== undefined || undefined}
        onClick={() => setOpen(true)}
      >
        {name === undefined ? null : <IconCheck size={16} stroke={2} aria-hidden />}
        <span className={textClasses.truncated}>{name === undefined ? 'Site' : `Site: ${name}`}</span>
        <IconChevronDown size={16} stroke={1.75} aria-hidden />
      </button>
      {name === undefined ? null : (
        <button
          type="button"
          className={`${layoutClasses.centered} ${chips.remove}`}
          aria-label={`Remove site ${name}`}
          onClick={() => {
            onChoose(undefined)
            button.current?.focus()
          }}
        >
          <IconX size={16} stroke={2} aria-hidden />
        </button>
      )}
      {isOpen ? (
        <Modal opened onClose={close} title="Choose a site" size={420}>
          <SiteSearch
            onChoose={(slug) => {
              onChoose(slug)
              close()
            }}
          />
        </Modal>
      ) : null}
    </span>
  )
}
