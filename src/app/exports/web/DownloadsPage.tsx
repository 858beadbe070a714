import { Button, NativeSelect } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { type FormEvent, type ReactNode, useEffect } from 'react'

import { can } from '../../../contract/capabilities.ts'
import { useCan, useUser } from '../../../platform/web/caller.ts'
import { errorMessage } from '../../../platform/web/failures.ts'
import { Notice } from '../../../platform/web/kit/Notice.tsx'
import { ListHead } from '../../../platform/web/list/ListHead.tsx'
import { useSearchParams } from '../../../platform/web/search-params.ts'
import { type ExportKind, EXPORT_KINDS, EXPORTS } from '../contract.ts'
import { download, clearDownloadFailure, useDownloadState } from './download.ts'
import { DownloadLog } from './DownloadLog.tsx'
import { ExportChoices } from './ExportChoices.tsx'
import { PreviewCard } from './PreviewCard.tsx'
import { Progress } from './Progress.tsx'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './DownloadsPage.module.css'

/** `/downloads`: select, preview and download a workbook. `sheets` is the card of the workbooks to edit. */
export const DownloadsPage = ({ sheets }: { sheets: ReactNode }) => {
  const [{ export: requested = '' }, change] = useSearchParams()
  const level = useUser()?.accessLevel ?? Infinity
  const kinds = EXPORT_KINDS.filter((kind) => can(level, EXPORTS[kind].capability))
  const chosen = kinds.find((kind) => kind === requested)
  const current = useDownloadState()
  const seesLog = useCan('see who downloaded')
  useEffect(() => clearDownloadFailure, [])
  const choose = (kind: ExportKind | undefined) => {
    clearDownloadFailure()
    change({ export: kind })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (chosen) void download(chosen)
  }
  return (
    <div className={layoutClasses.narrowPage}>
      <ListHead title="Excel Downloads" summary="Each file contains the current data in Homeroom." />
      <form className={`${layoutClasses.row} ${layoutClasses.alignEnd} ${layoutClasses.bottomMargin24} ${classes.form}`} onSubmit={submit}>
        <NativeSelect
          className={`${layoutClasses.filling} ${classes.kinds}`}
          label="Export"
          size="md"
          data={[{ value: '', label: 'Choose an export' }, ...kinds.map((kind) => ({ value: kind, label: EXPORTS[kind].name }))]}
          value={chosen ?? ''}
          onChange={({ currentTarget: { value } }) => choose(kinds.find((kind) => kind === value))}
        />
        <Button
          type="submit"
          size="md"
          className={layoutClasses.rigid}
          leftSection={<IconDownload size={18} stroke={1.75} />}
          disabled={!chosen || current.state === 'under way'}
        >
          Download
        </Button>
      </form>
      {current.state === 'under way' ? <Progress {...current} /> : null}
      {current.state === 'failed' ? (
        <Notice tone="bad" live>
          <span>
            {EXPORTS[current.kind].name} could not be downloaded. {errorMessage(current.error)}
          </span>
        </Notice>
      ) : null}
      {chosen ? <PreviewCard key={chosen} kind={chosen} /> : <ExportChoices kinds={kinds} onChoose={choose} />}
      {kinds.includes('charter_affairs') ? null : (
        <p className={`${textClasses.note} ${layoutClasses.topMargin12}`}>The Charter Affairs export is for administrators only.</p>
      )}
      {sheets}
      {seesLog ? <DownloadLog /> : null}
    </div>
  )
}
