import { Button, Loader, Radio } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'

import { Notice } from '../../../../platform/web/kit/Notice.tsx'
import { useSearchParams } from '../../../../platform/web/search-params.ts'
import { useTitle } from '../../../../platform/web/title.ts'
import { IMPORT_KINDS, type ImportKind } from '../imports/contract.ts'
import { FileButton } from './FileButton.tsx'
import { useImportUpload } from './import-queries.ts'
import { ImportSteps } from './ImportSteps.tsx'
import { SheetDrop } from './SheetDrop.tsx'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'

/** What each kind of file is, in the words of an office. */
const KINDS: Readonly<Record<ImportKind, readonly [label: string, description: string]>> = {
  charters: ['Charters, or a school directory', 'One row for each school. With an address, each row becomes a charter and its site.'],
  sites: ['Sites', 'One row for each site: resource centers, offices, warehouses.'],
  staff: ['Staff', 'One row for each person, such as an export of the HR system. Known job titles become roles at the sites.'],
  sis_sites: ['SIS sites', 'One row for each site in the student information system.'],
  legacy: ['The old program', 'Its folder of responses as one ZIP file. Links and numbers stay the same.'],
}

/** `/import`: which records a file has, and the file. */
export const ImportStartPage = () => {
  useTitle('Import')
  const [{ kind: asked }, change] = useSearchParams()
  const kind = IMPORT_KINDS.find((one) => one === asked) ?? 'charters'
  const { read, reading, refused } = useImportUpload()
  const onFile = (file: File) => void read(kind, file)
  return (
    <div className={layoutClasses.narrowPage}>
      <h1 tabIndex={-1}>Import</h1>
      <ImportSteps step="file" />
      {refused === undefined ? null : (
        <Notice tone="bad" live>
          <p>{refused}</p>
        </Notice>
      )}
      <Radio.Group label="What is in the file?" value={kind} onChange={(next) => change({ kind: next })}>
        <div className={`${layoutClasses.stack} ${layoutClasses.topMargin12}`}>
          {IMPORT_KINDS.map((one) => (
            <Radio key={one} value={one} label={KINDS[one][0]} description={KINDS[one][1]} />
          ))}
        </div>
      </Radio.Group>
      <div className={`${layoutClasses.wrappingRow} ${layoutClasses.topMargin20}`}>
        <FileButton label="File to import" accept={kind === 'legacy' ? '.zip' : '.xlsx,.csv,.txt,.tsv'} onFile={onFile}>
          {(choose) => (
            <Button leftSection={<IconUpload size={17} stroke={1.75} aria-hidden />} loading={reading !== undefined} onClick={choose}>
              Choose a file
            </Button>
          )}
        </FileButton>
        <p className={textClasses.note}>
          {kind === 'legacy' ? 'A ZIP file.' : 'An Excel workbook (.xlsx) or a CSV file, up to 20 MB.'} Or drop it anywhere on this page.
          Nothing is saved yet.
        </p>
      </div>
      <p role="status" className={`${layoutClasses.iconAndText} ${layoutClasses.topMargin12}`}>
        {reading === undefined ? null : (
          <>
            <Loader size={20} aria-hidden />
            Reading {reading} …
          </>
        )}
      </p>
      <SheetDrop about={KINDS[kind][0]} onFile={onFile} />
    </div>
  )
}
