import { Button, Menu } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconCopy, IconDots, IconFileSpreadsheet, IconPencil, IconRosetteDiscountCheck, IconTags, IconUserShare } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'

import { CHECKED_KINDS } from '../../../../../contract/checks.ts'
import { formatCount } from '../../../../../contract/format.ts'
import { openBulkWindow } from '../../../../../platform/web/bulk-window.ts'
import { showError } from '../../../../../platform/web/error-banner.ts'
import { listUniqueTexts } from '../../../../../platform/web/list/columns.ts'
import { SelectionBar } from '../../../../../platform/web/list/SelectionBar.tsx'
import { useIsNarrow } from '../../../../../platform/web/narrow.ts'
import type { BulkActionsProps } from '../../../../../platform/web/record-features.tsx'
import { showSuccess } from '../../../../../platform/web/success-notice.ts'
import { useCheckMany } from '../queries.ts'

/** The maximum length of ids in a URL; longer lists are taken from the selection of this tab. */
const MAX_NAMES_LENGTH = 4000

const copyEmails = async (emails: readonly string[]): Promise<void> => {
  try {
    await navigator.clipboard.writeText(emails.join('; '))
    showSuccess({ text: `Copied ${formatCount(emails.length, ['email address', 'email addresses'])}.` })
  } catch {
    // Browsers deny access to the clipboard on pages without a secure connection.
    showError('Your browser does not allow copying from this page.')
  }
}

/** The actions for the selected records of a list; renders nothing if none are selected. */
export const BulkActions = <T extends { readonly _id: string }>({ kind, noun, selection, columns, getEmail }: BulkActionsProps<T>) => {
  const narrow = useIsNarrow()
  const isCompact = useMediaQuery('(max-width: 1000px)', false, { getInitialValueInEffect: false })
  const checking = useCheckMany(noun, () => selection?.clear())
  if (!selection || selection.records.length === 0) return null
  const { records } = selection
  const ids = records.map(({ _id }) => _id)
  const names = ids.join(',')
  const emails = getEmail ? listUniqueTexts(records, getEmail) : []
  const checkedKind = CHECKED_KINDS.find((one) => one === kind)
  const open = (task: 'change' | 'sheet', field?: string) =>
    openBulkWindow({ task, kind, ids, noun, columns, ...(field === undefined ? {} : { field }) })
  const more = [
    ...(getEmail ? [{ label: 'Copy emails', icon: IconCopy, isBrief: true, onClick: () => void copyEmails(emails) }] : []),
    { label: 'Edit in Excel', icon: IconFileSpreadsheet, isBrief: true, onClick: () => open('sheet') },
    ...(kind === 'site'
      ? [
          {
            label: 'Add or remove a program type…',
            icon: IconTags,
            isBrief: false,
            onClick: () => open('change', 'enrollment_info.programTypes'),
          },
        ]
      : []),
    ...(checkedKind
      ? [
          {
            label: 'Check as correct',
            icon: IconRosetteDiscountCheck,
            isBrief: false,
            onClick: () => checking.mutate({ kind: checkedKind, ids }),
          },
        ]
      : []),
  ]
  const inMenu = more.filter(({ isBrief }) => isCompact || !isBrief)
  const menu =
    inMenu.length > 0 ? (
      <Menu position="top-end" shadow="md" radius="lg" withinPortal>
        <Menu.Target>
          <Button variant="default" px={0} w={narrow ? 44 : 36} data-more aria-label="More for the selected rows">
            <IconDots size={18} stroke={1.75} aria-hidden />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {inMenu.map(({ label, icon: Icon, onClick }) => (
            <Menu.Item
              key={label}
              mih={narrow ? 44 : 36}
              leftSection={<Icon size={17} stroke={1.75} aria-hidden />}
              disabled={checking.isPending || (label === 'Copy emails' && emails.length === 0)}
              onClick={onClick}
            >
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    ) : null
  return (
    <SelectionBar selection={selection}>
      {isCompact
        ? null
        : more
            .filter(({ isBrief }) => isBrief)
            .map(({ label, icon: Icon, onClick }) => (
              <Button
                key={label}
                variant="default"
                leftSection={<Icon size={17} stroke={1.75} aria-hidden />}
                disabled={label === 'Copy emails' && emails.length === 0}
                onClick={onClick}
              >
                {label}
              </Button>
            ))}
      {kind === 'site' ? (
        <Button
          variant="default"
          leftSection={<IconUserShare size={17} stroke={1.75} aria-hidden />}
          renderRoot={(props) => (
            <Link to="/reorganize" search={{ mode: 'sites', ...(names.length > MAX_NAMES_LENGTH ? {} : { sites: names }) }} {...props} />
          )}
        >
          Reorganize…
        </Button>
      ) : null}
      {narrow ? null : menu}
      <Button aria-haspopup="dialog" leftSection={<IconPencil size={17} stroke={1.75} aria-hidden />} onClick={() => open('change')}>
        Change…
      </Button>
      {narrow ? menu : null}
    </SelectionBar>
  )
}
