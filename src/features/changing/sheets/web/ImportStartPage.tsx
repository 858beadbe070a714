import { Button, Loader, Radio } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'

import { IMPORT_KINDS, IMPORTS } from '../../../../contract/imports.ts'
import { Notice } from '../../../../platform/web/kit/Notice.tsx'
import { useSearchParams } from '../../../../platform/web/search-params.ts'
import { useTitle } from '../../../../platform/web/title.ts'
import { FileButton } from './FileButton.tsx'
import { useImportUpload } from './import-queries.ts'
import { ImportSteps } from './ImportSteps.tsx'
import { SheetDrop } from './SheetDrop.tsx'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'

/** `/import`: which records a file has, and the file. */
export const ImportStartPage = () => {
  useTitle('Import')
  const [{ kind: asked }, change] = useSearchParams()
  const kind = IMPORT_KINDS.find((one) => one === asked) ?? IMPORT_KINDS[0] ?? 'legacy'
  const { accept, files } = IMPORTS[kind]
  const { read, reading, refused } = useImportUpload()
  const onFile = (file: File) => void read(kind, file)
  return (
    <div className={layoutClasses.narrowPage}>
      <header className={layoutClasses.pageHead}>
        <h1 tabIndex={-1}>Import</h1>
      </header>
      <ImportSteps step="file" />
      {refused === undefined ? null : (
        <Notice tone="bad" live>
          <p>{refused}</p>
        </Notice>
      )}
      <Radio.Group label="What is in the file?" value={kind} onChange={(next) => change({ kind: next })}>
        <div className={`${layoutClasses.stack} ${layoutClasses.topMargin12}`}>
          {IMPORT_KINDS.map((one) => (
            <Radio key={one} value={one} label={IMPORTS[one].label} description={IMPORTS[one].description} />
          ))}
        </div>
      </Radio.Group>
      <div className={`${layoutClasses.wrappingRow} ${layoutClasses.topMargin20}`}>
        <FileButton label="File to import" accept={accept} onFile={onFile}>
          {(choose) => (
            <Button leftSection={<IconUpload size={17} stroke={1.75} aria-hidden />} loading={reading !== undefined} onClick={choose}>
              Choose a file
            </Button>
          )}
        </FileButton>
        <p className={textClasses.note}>{files} Or drop it anywhere on this page. Nothing is saved yet.</p>
      </div>
      <p role="status" className={`${layoutClasses.iconAndText} ${layoutClasses.topMargin12}`}>
        {reading === undefined ? null : (
          <>
            <Loader size={20} aria-hidden />
            Reading {reading} …
          </>
        )}
      </p>
      <SheetDrop about={IMPORTS[kind].label} onFile={onFile} />
    </div>
  )
}
