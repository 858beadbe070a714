import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'

import { getImportPath } from '../../../contract/import-path.ts'
import { SettingsRow, SettingsRows } from '../../../platform/web/kit/SettingsCard.tsx'
import type { Setup } from '../contract.ts'

/** What each file holds, in the words of who has it. */
const FILES: Readonly<Record<string, string>> = {
  charters: 'A school directory as CSV or XLSX, such as that of a state',
  sites: 'A list of sites, with addresses and phones',
  staff: 'A staff list, as an HR system exports it',
  sis_sites: 'A list of SIS sites',
}

/** What is there in numbers, and where more is brought in. */
export const RecordsStep = ({ setup }: { setup: Setup }) => (
  <SettingsRows label="Records">
    {setup.records.map(({ kind, label, count }) => (
      <SettingsRow key={kind} name={`${label}: ${count.toLocaleString('en-US')}`} details={<span>{FILES[kind]}</span>}>
        <Button component={Link} to={getImportPath(kind)} variant="default" aria-label={`Import ${label}`}>
          Import
        </Button>
      </SettingsRow>
    ))}
    <SettingsRow name="The old program’s folder" details={<span>As a ZIP file, with everything in it</span>}>
      <Button component={Link} to={getImportPath('legacy')} variant="default" aria-label="Import the old program’s folder">
        Import
      </Button>
    </SettingsRow>
  </SettingsRows>
)
