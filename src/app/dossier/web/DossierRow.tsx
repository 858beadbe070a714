import { Button, VisuallyHidden } from '@mantine/core'
import { IconFileTypePdf, IconFileZip } from '@tabler/icons-react'
import { useId, useState } from 'react'

import { formatDay, formatMoment, formatMomentDay } from '../../../contract/dates.ts'
import { formatCount } from '../../../contract/format.ts'
import { configuration } from '../../../platform/web/configuration.ts'
import { downloadFile } from '../../../platform/web/files.ts'
import { formatSize } from '../../exports/rules.ts'
import { type Dossier, downloadDossierPdf, downloadDossierZip } from '../contract.ts'
import { DOSSIER_PARTS, PART_TEXTS } from '../rules.ts'
import { isBeingMade } from './queries.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './Dossier.module.css'

const DOWNLOADS = [
  { kind: 'pdf', label: 'PDF', call: downloadDossierPdf, icon: IconFileTypePdf },
  { kind: 'zip', label: 'ZIP', call: downloadDossierZip, icon: IconFileZip },
] as const

const Download = ({ dossier, kind, label, call, icon: IconComponent }: { dossier: Dossier } & (typeof DOWNLOADS)[number]) => {
  const [isLoading, setLoading] = useState(false)
  const download = () => {
    setLoading(true)
    void downloadFile(call, 'The dossier', { params: { id: dossier._id } }).finally(() => setLoading(false))
  }
  return (
    <Button variant="default" leftSection={<IconComponent size={17} stroke={1.75} aria-hidden />} loading={isLoading} onClick={download}>
      <VisuallyHidden>Download </VisuallyHidden>
      {label} <span className={`${textClasses.dimmed} ${classes.size}`}>{formatSize(dossier[kind]?.bytes ?? 0)}</span>
      <VisuallyHidden>, state of {formatDay(dossier.on)}</VisuallyHidden>
    </Button>
  )
}

const Making = ({ dossier }: { dossier: Dossier }) => {
  const id = useId()
  return (
    <div className={classes.making}>
      <span id={id} className={textClasses.detail} role="status">
        {dossier.state === 'waiting' ? 'Waiting until others are made' : `Being made, ${dossier.progress} %`}
      </span>
      <progress
        className={`${layoutClasses.fullWidth} ${layoutClasses.clipped} ${layoutClasses.sunkenGround} ${layoutClasses.progressBar}`}
        aria-labelledby={id}
        {...(dossier.state === 'waiting' ? {} : { value: dossier.progress / 100 })}
      />
    </div>
  )
}

const formatParts = ({ parts }: Dossier): string =>
  parts.length === DOSSIER_PARTS.length ? 'All parts' : parts.map((part) => PART_TEXTS[part].title).join(', ')

/** One dossier: what it is of, its progress, and its files. */
export const DossierRow = ({ dossier }: { dossier: Dossier }) => {
  const { on, from, to, by, createdAt, deletedAt, failure, pages, signedBy, state } = dossier
  const { timeZone } = configuration
  const facts = [
    ...(pages === null ? [] : [formatCount(pages, 'page')]),
    ...(state === 'done' ? [signedBy === null ? 'Not signed' : `Signed by ${signedBy}`] : []),
    ...(deletedAt === null ? [] : [`Kept until ${formatMomentDay(deletedAt, timeZone)}`]),
  ]
  return (
    <li className={`${layoutClasses.lineAbove} ${layoutClasses.alignCenter} ${layoutClasses.blockPadding14} ${classes.row}`}>
      <div className={`${layoutClasses.column} ${textClasses.lines}`}>
        <span className={textClasses.strong}>State of {formatDay(on)}</span>
        <span className={`${textClasses.detail} ${textClasses.figures}`}>
          Changes from {formatDay(from)} to {formatDay(to)} · {formatParts(dossier)}
        </span>
        <span className={`${textClasses.detail} ${textClasses.figures}`}>
          {formatMoment(createdAt, timeZone)} by {by}
        </span>
        {facts.length === 0 ? null : <span className={`${textClasses.detail} ${textClasses.figures}`}>{facts.join(' · ')}</span>}
        {failure === null ? null : <span className={`${textClasses.error} ${textClasses.smallFont}`}>It could not be made. {failure}</span>}
      </div>
      {isBeingMade(dossier) ? <Making dossier={dossier} /> : null}
      {state === 'done' ? (
        <div className={layoutClasses.wrappingRow}>
          {DOWNLOADS.map((one) => (
            <Download key={one.kind} dossier={dossier} {...one} />
          ))}
        </div>
      ) : null}
    </li>
  )
}
