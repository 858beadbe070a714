import { Button, Modal } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'

import { formatPhone } from '../../../contract/phones.ts'
import { QrCode } from '../../../platform/web/kit/QrCode.tsx'
import type { PersonWithSites } from '../contract.ts'
import { getPersonUrl, formatShortVcard } from '../rules.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './QrCodeModal.module.css'

/** A person as a QR code, from which a phone saves the contact. */
export const QrCodeModal = ({ person, onClose }: { person: PersonWithSites; onClose: () => void }) => {
  const contactLines = [
    person.roles.map((role) => role.name).join(', '),
    person.phone === null ? null : formatPhone(person.phone),
    person.email,
    getPersonUrl(window.location.host, person),
  ].filter(Boolean)
  return (
    <Modal opened onClose={onClose} title={`QR code of ${person.name}`} size={420}>
      <div className={`${layoutClasses.breakable} ${layoutClasses.row} ${layoutClasses.vertical} ${classes.card}`} data-print="sheet">
        <QrCode
          text={formatShortVcard(person, getPersonUrl(window.location.origin, person))}
          label={`QR code with the contact of ${person.name}. The same details are listed below.`}
        />
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
