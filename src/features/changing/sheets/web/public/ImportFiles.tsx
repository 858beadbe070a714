import { Button, Loader } from '@mantine/core'
import { Link } from '@tanstack/react-router'

import { ANY_FILE, type ImportKind, IMPORTS } from '../../../../../contract/imports.ts'
import { Notice } from '../../../../../platform/web/kit/Notice.tsx'
import { SettingsRow, SettingsRows } from '../../../../../platform/web/kit/SettingsCard.tsx'
import { DropField } from '../DropField.tsx'
import type { Files } from '../FileButton.tsx'
import { useImportFiles, useImportUpload } from '../import-queries.ts'
import { SheetDrop } from '../SheetDrop.tsx'

import layoutClasses from '../../../../../platform/web/kit/Layout.module.css'

/** Takes files of other programs, and lists those of the last day. */
export const ImportFiles = ({ kind = 'any' }: { kind?: ImportKind | 'any' }) => {
  const { accept, files: about } = kind === 'any' ? ANY_FILE : IMPORTS[kind]
  const { read, reading, refused } = useImportUpload()
  const { data: own = [] } = useImportFiles()
  const onFiles = (files: Files) => void read(kind, files)
  return (
    <>
      {refused.length === 0 ? null : (
        <Notice tone="bad" live>
          {refused.map(({ name, message }, at) => (
            <p key={at}>
              {name}: {message}
            </p>
          ))}
        </Notice>
      )}
      <DropField label="Files to import" accept={accept} isMultiple onFiles={onFiles} note={`${about} Nothing is saved yet.`} />
      <p role="status" className={`${layoutClasses.iconAndText} ${layoutClasses.topMargin12}`}>
        {reading === undefined ? null : (
          <>
            <Loader size={20} aria-hidden />
            Reading {reading} …
          </>
        )}
      </p>
      {own.length === 0 ? null : (
        <section aria-labelledby="your-files" className={layoutClasses.topMargin20}>
          <h2 id="your-files">Your files</h2>
          <SettingsRows label="Your files">
            {own.map(({ _id, kind: found, fileName, isSaved }) => (
              <SettingsRow
                key={_id}
                name={fileName}
                details={
                  <span>
                    {IMPORTS[found].label}, {isSaved ? 'imported' : 'not saved yet'}
                  </span>
                }
              >
                <Button
                  component={Link}
                  to={`/import/${_id}`}
                  variant="default"
                  aria-label={isSaved ? `See the result of ${fileName}` : `Continue with ${fileName}`}
                >
                  {isSaved ? 'See the Result' : 'Continue'}
                </Button>
              </SettingsRow>
            ))}
          </SettingsRows>
        </section>
      )}
      <SheetDrop about={kind === 'any' ? 'Files of other programs' : IMPORTS[kind].label} onFiles={onFiles} />
    </>
  )
}
