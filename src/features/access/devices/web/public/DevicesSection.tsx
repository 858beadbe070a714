import { Button } from '@mantine/core'
import { IconAddressBook, IconDeviceMobile } from '@tabler/icons-react'
import { useState } from 'react'

import { formatMomentDay } from '../../../../../contract/dates.ts'
import { formatRelativeMoment } from '../../../../../contract/relative-moment.ts'
import { send } from '../../../../../platform/web/client.ts'
import { configuration } from '../../../../../platform/web/configuration.ts'
import { IconRow, IconRows } from '../../../../../platform/web/kit/IconRow.tsx'
import { Section } from '../../../../../platform/web/kit/Section.tsx'
import { ConfirmDialog } from '../../../../../platform/web/kit/SendingDialog.tsx'
import { RowSkeleton } from '../../../../../platform/web/list/ListSkeleton.tsx'
import { LoadedList } from '../../../../../platform/web/list/LoadedList.tsx'
import { deleteDevice, type Device } from '../../contract.ts'
import { isHandheldClient } from '../../rules.ts'
import { AddDevice } from '../AddDevice.tsx'
import { invalidateDevices, useDevices } from '../queries.ts'

import textClasses from '../../../../../platform/web/kit/Text.module.css'
import classes from './DevicesSection.module.css'

const { timeZone } = configuration

const formatUse = ({ lastUsedAt, client }: Device): string =>
  lastUsedAt === null ? 'Never used' : `Last used${client === null ? '' : ` by ${client}`} ${formatRelativeMoment(lastUsedAt, timeZone)}`

const DeviceRow = ({ device, onEnd }: { device: Device; onEnd: () => void }) => (
  <IconRow
    icon={isHandheldClient(device.client) ? IconDeviceMobile : IconAddressBook}
    name={device.name}
    lines={[[formatUse(device), `Added ${formatMomentDay(device.createdAt, timeZone)}`]]}
    actions={
      <Button variant="default" className={textClasses.bad} aria-label={`End the device ${device.name}`} onClick={onEnd}>
        End
      </Button>
    }
  />
)

/** Asks before the password of a device is ended. */
const EndDeviceDialog = ({ device: { _id, name }, onClose }: { device: Device; onClose: () => void }) => (
  <ConfirmDialog
    title={`End ${name}?`}
    confirmLabel="End Device"
    isDestructive
    onSend={() => send(deleteDevice, { params: { id: _id } })}
    doneText={`The device ${name} was ended.`}
    reload={invalidateDevices}
    onClose={onClose}
  >
    <p>Its password stops working right away. What the device has read stays on it until the account is removed there.</p>
  </ConfirmDialog>
)

/** The devices of an account that read the address books: the user's own with a button to add one, or for level 1 those of another account. */
export const DevicesSection = ({ account }: { account: string | null }) => {
  const isOwn = account === null
  const query = useDevices(account)
  const [ending, setEnding] = useState<Device | null>(null)
  return (
    <Section title={isOwn ? 'Contacts on your devices' : 'Contacts on devices'} {...(query.data ? { count: query.data.length } : {})}>
      {isOwn ? (
        <p className={`${textClasses.detail} ${classes.about}`}>
          The directory in the contacts of your phone or computer, always up to date: staff, leadership, your region, your favorites and
          your saved views.
        </p>
      ) : null}
      <LoadedList query={query} skeleton={<RowSkeleton />}>
        {(devices) => (
          <>
            {devices.length > 0 ? (
              <IconRows label="Devices">
                {devices.map((device) => (
                  <DeviceRow key={device._id} device={device} onEnd={() => setEnding(device)} />
                ))}
              </IconRows>
            ) : isOwn ? null : (
              <p className={`${textClasses.detail} ${classes.about}`}>This person has no devices.</p>
            )}
            {isOwn ? <AddDevice /> : null}
          </>
        )}
      </LoadedList>
      {ending ? <EndDeviceDialog device={ending} onClose={() => setEnding(null)} /> : null}
    </Section>
  )
}
