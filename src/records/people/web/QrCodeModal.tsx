import { Button, Modal } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import { create } from 'qrcode'
import { useMemo } from 'react'

import { formatPhone } from '../../../contract/phones.ts'
import type { PersonWithSites } from '../contract.ts'
import { getPersonUrl, formatShortVcard } from '../rules.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './QrCodeModal.module.css'

/** The quiet zone around the code, in modules. */
const QUIET_ZONE = 4

/**
 * Renders a QR code as one SVG path, which is sharp at any size and in print. The lowest error correction is enough on a screen and gives
 * larger modules.
 */
const buildQrCode = (text: string): { across: number; path: string } => {
  const { modules } = create(text, { errorCorrectionLevel: 'L' })
  const rows = Array.from({ length: modules.size }, (_, y) => Array.from({ length: modules.size }, (_, x) => modules.get(y, x) !== 0))
  return {
    across: modules.size + 2 * QUIET_ZONE,
    path: rows.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x + QUIET_ZONE} ${y + QUIET_ZONE}h1v1h-1z`] : []))).join(''),
  }
}

/** A person as a QR code, from which a phone saves the contact. */
export const QrCodeModal = ({ person, onClose }: { person: PersonWithSites; onClose: () => void }) => {
  const { across, path } = useMemo(() => buildQrCode(formatShortVcard(person, getPersonUrl(window.location.origin, person))), [person])
  const contactLines = [
    person.roles.map((role) => role.name).join(', '),
    person.phone === null ? null : formatPhone(person.phone),
    person.email,
    getPersonUrl(window.location.host, person),
  ].filter(Boolean)
  return (
    <Modal opened onClose={onClose} title={`QR code of ${person.name}`} size={420}>
      <div className={`${layoutClasses.breakable} ${layoutClasses.row} ${layoutClasses.vertical} ${classes.card}`} data-print="sheet">
        <svg
          className={classes.code}
          viewBox={`0 0 ${across} ${across}`}
          role="img"
          aria-label={`QR code with the contact of ${person.name}. The same details are listed below.`}
          shapeRendering="crispEdges"
        >
          <rect width={across} height={across} fill="#fff" />
          <path d={path} fill="#000" />
        </svg>
        <p className={`${textClasses.strong} ${layoutClasses.topMargin12}`}>{person.name}</p>
        <ul className={textClasses.note} aria-label="What the code says">
          {contactLines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        <p className={`${textClasses.caption} ${classes.hint}`}>Scan this code with a phone camera to save this contact.</p>
        <Button variant="default" leftSection={<IconPrinter size={17} stroke={1.75} />} onClick={() => window.print()} data-print="no">
          Print
        </Button>
      </div>
    </Modal>
  )
}
