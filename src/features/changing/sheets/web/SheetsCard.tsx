import { Button } from '@mantine/core'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { useState } from 'react'

import { SHEETS, type SheetKind } from '../../../../contract/sheets.ts'
import { useUser } from '../../../../platform/web/caller.ts'
import { listSheets } from '../rules.ts'
import { DropField } from './DropField.tsx'
import { downloadSheetFile, useSheetUpload } from './queries.ts'
import { SheetDrop } from './SheetDrop.tsx'
import { UploadState } from './SheetMenu.tsx'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './SheetMenu.module.css'

const Sheets = ({ kinds, first }: { kinds: readonly SheetKind[]; first: SheetKind }) => {
  const [busy, setBusy] = useState<SheetKind>()
  const upload = useSheetUpload(kinds)
  const read = (file: File) => void upload.read(first, file)
  const download = async (kind: SheetKind) => {
    setBusy(kind)
    await downloadSheetFile(kind)
    setBusy(undefined)
  }
  return (
    <section className={layoutClasses.sectionStart} aria-labelledby="edit-in-excel">
      <h2 id="edit-in-excel">Edit in Excel</h2>
      <p className={`${textClasses.caption} ${classes.note}`}>
        Download all records of a kind, change them, and upload the file. Lists give just the rows they show.
      </p>
      <div className={`${layoutClasses.wrappingRow} ${layoutClasses.blockMargin12}`}>
        {kinds.map((kind) => (
          <Button
            key={kind}
            variant="default"
            aria-label={`Download ${SHEETS[kind].label} to edit`}
            leftSection={<IconFileSpreadsheet size={17} stroke={1.75} aria-hidden />}
            loading={busy === kind}
            onClick={() => void download(kind)}
          >
            {SHEETS[kind].label}
          </Button>
        ))}
      </div>
      <DropField onFiles={([file]) => read(file)} />
      <SheetDrop about="A sheet to edit, .xlsx or .csv" onFiles={([file]) => read(file)} />
      <UploadState upload={upload} onFile={read} />
    </section>
  )
}

/** Every sheet that the user may edit, and an area to drop a changed one. */
export const SheetsCard = () => {
  const kinds = listSheets(useUser()?.accessLevel ?? Infinity)
  const [first] = kinds
  return first === undefined ? null : <Sheets kinds={kinds} first={first} />
}
