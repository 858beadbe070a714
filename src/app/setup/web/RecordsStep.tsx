import { ImportFiles } from '../../../features/changing/sheets/web/public/ImportFiles.tsx'
import { SettingsRow, SettingsRows } from '../../../platform/web/kit/SettingsCard.tsx'
import type { Setup } from '../contract.ts'

/** What each file has, in the words of who has it. */
const FILES: Readonly<Record<string, string>> = {
  charters: 'A school directory as CSV or XLSX, such as that of a state',
  sites: 'A list of sites, with addresses and phones',
  staff: 'A staff list, as an HR system exports it',
  sis_sites: 'A list of SIS sites',
}

/** What is there in numbers, and the files that bring in more. */
export const RecordsStep = ({ setup }: { setup: Setup }) => (
  <>
    <p>Drop your files in any order. Homeroom recognizes what is in them; the old program’s folder is one ZIP file.</p>
    <ImportFiles />
    <SettingsRows label="Records">
      {setup.records.map(({ kind, label, count }) => (
        <SettingsRow key={kind} name={label} details={<span>{FILES[kind]}</span>}>
          <strong>{count.toLocaleString('en-US')}</strong>
        </SettingsRow>
      ))}
    </SettingsRows>
  </>
)
