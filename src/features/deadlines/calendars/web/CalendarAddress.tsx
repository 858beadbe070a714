import { Button, TextInput, VisuallyHidden } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconBrandApple, IconBrandGoogle, IconBrandOffice, IconCalendarCheck, IconCheck, IconCopy, IconEyeOff } from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'

import { formatReminder, getSubscribeUrls } from '../rules.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './CalendarWindow.module.css'

interface ProgramLinkProps {
  readonly icon: Icon
  readonly name: string
  readonly hint: string
  readonly href: string
  readonly isOtherTab?: boolean
  readonly onOpen: () => void
}

const ProgramLink = ({ icon: IconComponent, name, hint, href, isOtherTab = false, onOpen }: ProgramLinkProps) => (
  <a
    className={`${layoutClasses.stack} ${layoutClasses.hoverable} ${layoutClasses.rounded} ${classes.program}`}
    href={href}
    {...(isOtherTab ? { target: '_blank', rel: 'noreferrer' } : {})}
    onClick={onOpen}
    onAuxClick={onOpen}
  >
    <IconComponent size={22} stroke={1.75} aria-hidden className={classes.programSign} />
    <span className={textClasses.strong}>{name}</span>
    <span className={`${textClasses.caption} ${layoutClasses.topMargin6} ${textClasses.smallLines} ${classes.hint}`}>{hint}</span>
  </a>
)

export interface GivenCalendar {
  readonly name: string
  readonly url: string
  readonly deadlines: number
  readonly reminderDays: number | null
}

interface CalendarAddressProps {
  readonly calendar: GivenCalendar
  /** Called when the URL was copied, or opened in a calendar program. */
  readonly onTake: () => void
  readonly onDone: () => void
}

/** The URL of a calendar feed, with buttons to copy and open it. */
export const CalendarAddress = ({ calendar: { name, url, deadlines, reminderDays }, onTake, onDone }: CalendarAddressProps) => {
  const clipboard = useClipboard({ timeout: 3000 })
  const copy = () => {
    clipboard.copy(url)
    onTake()
  }
  const CopySign = clipboard.copied ? IconCheck : IconCopy
  const { outlook, google, apple } = getSubscribeUrls(url, name)
  return (
    <div className={layoutClasses.stack}>
      <p className={`${layoutClasses.breakable} ${textClasses.dimmed} ${layoutClasses.spaced} ${classes.feed}`}>
        <IconCalendarCheck size={18} stroke={1.75} aria-hidden />
        <span>
          <strong>{name}</strong>, {deadlines.toLocaleString('en-US')} today, {formatReminder(reminderDays)}
        </span>
      </p>
      <div className={`${layoutClasses.rounded} ${layoutClasses.waitGround} ${layoutClasses.spaced} ${classes.warning}`}>
        <IconEyeOff size={20} stroke={1.75} aria-hidden />
        <p>
          <strong>This address is shown only now.</strong> It works like a key: anyone who has it can read this calendar. Lost it? Make a
          new address in My account.
        </p>
      </div>
      <div role="group" aria-labelledby="calendar-programs">
        <h3 id="calendar-programs" className={classes.label}>
          Add it to
        </h3>
        <div className={classes.programs}>
          <ProgramLink icon={IconBrandOffice} name="Outlook" hint="Opens in a new tab" href={outlook} isOtherTab onOpen={onTake} />
          <ProgramLink icon={IconBrandGoogle} name="Google" hint="Opens in a new tab" href={google} isOtherTab onOpen={onTake} />
          <ProgramLink icon={IconBrandApple} name="Apple" hint="iPhone, iPad, Mac" href={apple} onOpen={onTake} />
        </div>
      </div>
      <div>
        <div className={`${layoutClasses.alignEnd} ${layoutClasses.gap8} ${classes.address}`}>
          <TextInput
            label="Or copy the private address"
            readOnly
            value={url}
            spellCheck={false}
            classNames={{ input: classes.secret ?? '', label: classes.label ?? '' }}
            onFocus={(event) => event.currentTarget.select()}
            onCopy={onTake}
          />
          <Button variant="default" leftSection={<CopySign size={17} stroke={1.75} aria-hidden />} onClick={copy}>
            {clipboard.copied ? 'Copied' : 'Copy'}
          </Button>
        </div>
        <p className={`${textClasses.caption} ${layoutClasses.topMargin6} ${textClasses.smallLines} ${classes.hint}`}>
          Outlook and Google check for changes every few hours, so updates may take a while to appear.
        </p>
      </div>
      <div className={`${layoutClasses.buttons} ${classes.buttons}`}>
        <Button onClick={onDone}>Done</Button>
      </div>
      <VisuallyHidden role="status">{clipboard.copied ? 'Copied' : ''}</VisuallyHidden>
    </div>
  )
}
