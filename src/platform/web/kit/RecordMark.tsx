import { IconBuilding, IconBuildingEstate, IconFileText, IconMapPin, IconSchool, IconUser } from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'

import { KIND_ICONS, type KindIcon, type RecordKind } from '../../../contract/records.ts'
import { Avatar } from './Avatar.tsx'

import layoutClasses from './Layout.module.css'
import classes from './RecordMark.module.css'
import textClasses from './Text.module.css'

const ICONS: Readonly<Record<KindIcon, Icon>> = {
  building: IconBuilding,
  estate: IconBuildingEstate,
  file: IconFileText,
  initials: IconUser,
  pin: IconMapPin,
  school: IconSchool,
}

export const getRecordIcon = (kind: RecordKind): Icon => ICONS[KIND_ICONS[kind]]

/** An icon on a tile, before a line of text. */
export const IconTile = ({ icon: IconComponent, size = 40 }: { icon: Icon; size?: number }) => (
  <span
    className={`${layoutClasses.centered} ${textClasses.dimmed} ${layoutClasses.rigid} ${classes.tile}`}
    style={{ width: size, height: size }}
    aria-hidden
  >
    <IconComponent size={Math.round(size / 2)} stroke={1.75} />
  </span>
)

/** The mark before a record in a list: someone's initials, or the icon of the record kind. */
export const RecordMark = ({ kind, name, size = 40 }: { kind: RecordKind; name: string; size?: number }) =>
  KIND_ICONS[kind] === 'initials' ? <Avatar name={name} size={size} /> : <IconTile icon={getRecordIcon(kind)} size={size} />
