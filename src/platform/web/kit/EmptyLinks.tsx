import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'

import { BROWSE_LEVEL, can, type Capability } from '../../../contract/capabilities.ts'
import { getImportPath } from '../../../contract/import-path.ts'
import { PAGES } from '../../../contract/pages.ts'
import { KIND_BEGINNINGS } from '../../../contract/records.ts'
import { useUser } from '../caller.ts'
import { pastDay } from '../past-day.ts'
import { EmptyStateActions } from './EmptyState.tsx'

import textClasses from './Text.module.css'

interface EmptyLink {
  readonly label: string
  readonly to: string
  /** Only for people who have it. */
  readonly capability?: Capability
}

/** Where what is missing comes from: links to pages that the reader may open. */
export const EmptyLinks = ({ links }: { links: readonly EmptyLink[] }) => {
  const level = useUser()?.accessLevel ?? BROWSE_LEVEL
  const own = links.filter(({ capability = 'browse the directory' }) => can(level, capability))
  if (own.length === 0) return null
  return (
    <EmptyStateActions>
      {own.map(({ label, to }) => (
        <Button key={to} variant="default" component={Link} to={to}>
          {label}
        </Button>
      ))}
    </EmptyStateActions>
  )
}

/** What belongs into an empty list of a kind, and where its records come from, for someone of this level. */
export const EmptyKind = ({ kind }: { kind: string }) => {
  const level = useUser()?.accessLevel ?? BROWSE_LEVEL
  const beginning = KIND_BEGINNINGS[kind]
  if (!beginning || pastDay !== undefined) return null
  const { about, newPage, importKind } = beginning
  const addCapability: Capability = PAGES[newPage].capability
  const mayAdd = can(level, addCapability)
  return (
    <>
      <p className={textClasses.dimmed}>
        {about} {mayAdd ? '' : 'An administrator can add them.'}
      </p>
      <EmptyLinks
        links={[
          { label: PAGES[newPage].name, to: newPage, capability: addCapability },
          ...(importKind === undefined
            ? []
            : [{ label: 'Import a File', to: getImportPath(importKind), capability: 'change the settings' as const }]),
          { label: PAGES['/setup'].name, to: '/setup', capability: 'set up the program' },
        ]}
      />
    </>
  )
}
