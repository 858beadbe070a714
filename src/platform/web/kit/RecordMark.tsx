import { IconBuilding, IconBuildingEstate, IconFileText, IconMapPin, IconSchool } from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'

import type { RecordKind } from '../../../contract/records.ts'
import { Avatar } from './Avatar.tsx'

import layoutClasses from './Layout.module.css'
import classes from './RecordMark.module.css'
import textClasses from './Text.module.css'

/** The icon of each kind. */
const ICONS: Readonly<Partial<Record<RecordKind, Icon>>> = {
  site: IconBuilding,
  charter: IconSchool,
  brand: IconBuildingEstate,
  region: IconMapPin,
}

export const getRecordIcon = (kind: RecordKind): Icon => ICONS[kind] ?? IconFileText

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
  kind === 'person' ? <Avatar name={name} size={size} /> : <IconTile icon={getRecordIcon(kind)} size={size} />
