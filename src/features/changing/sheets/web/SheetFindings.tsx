import { Button } from '@mantine/core'
import { IconAlertCircle, IconArrowRight, IconArrowsSplit2, IconDownload, IconPencil, IconPlus } from '@tabler/icons-react'

import { formatCount, capitalize } from '../../../../contract/format.ts'
import { getSheetNoun } from '../../../../contract/sheets.ts'
import { Tick } from '../../../../platform/web/list/Tick.tsx'
import type { SheetPreview } from '../contract.ts'
import { ChangeRows, NewRecordRow } from './ChangeRows.tsx'
import { ConflictRow } from './ConflictRow.tsx'
import type { Shown } from './FindingChips.tsx'
import { saveMarkedSheet } from './queries.ts'
import { groupErrors } from './sheet-choices.ts'
import { SheetErrorRow } from './SheetErrorRow.tsx'
import { SheetSection } from './SheetSection.tsx'
import type { Saving } from './use-saving.ts'

/** Cells that need a decision, each in a separate row; equal errors are in one. */
const DECISIONS = [
  {
    id: 'errors',
    Icon: IconAlertCircle,
    tone: 'bad',
    noun: ['error', 'errors'],
    about: 'Fix them here, or leave them out. A cell with an error is never saved. Equal errors of a column are fixed together.',
    heads: ['In the file', 'Fix'],
    Row: SheetErrorRow,
  },
  {
    id: 'conflicts',
    Icon: IconArrowsSplit2,
    tone: 'wait',
    noun: ['conflict', 'conflicts'],
    about: 'Someone changed the same value after you downloaded the file, or after the last import. Choose one.',
    heads: ['Theirs, saved now', 'Yours, in the file'],
    Row: ConflictRow,
  },
] as const

const Decisions = ({ preview, saving, section }: Omit<FindingsProps, 'shown'> & { section: (typeof DECISIONS)[number] }) => {
  const { choosing, findings, summary, judge } = saving
  const { id, Icon, tone, noun, about, heads, Row } = section
  const count = (id === 'errors' ? summary.errors : findings.conflicts).length
  const isFixed = id === 'errors' && count === 0
  const download = (
    <Button
      size="compact-md"
      fz="0.875rem"
      variant="default"
      leftSection={<IconDownload size={16} stroke={1.75} aria-hidden />}
      onClick={() => void saveMarkedSheet(preview._id, 'all')}
    >
      Download with comments
    </Button>
  )
  return (
    <SheetSection
      id={id}
      layout={id}
      icon={<Icon size={20} stroke={1.75} aria-hidden data-tone={isFixed ? undefined : tone} />}
      title={isFixed ? 'All errors are fixed' : formatCount(count, noun)}
      about={isFixed ? 'Their new values are saved with the rest.' : about}
      tools={id === 'errors' && !preview.isImport ? download : null}
      heads={[capitalize(getSheetNoun(preview.kind)[0]), 'Field', ...heads]}
      rows={id === 'errors' ? groupErrors(findings.errors) : findings.conflicts.map((cell) => [cell])}
      getKey={([cell], at) => `${cell?.cell} ${at}`}
    >
      {(cells) => <Row sheet={preview.sheet} cells={cells} chosen={choosing.chosen} judge={judge} onChoose={choosing.choose} />}
    </SheetSection>
  )
}

const NOW_AND_NEW = (
  <>
    Now <IconArrowRight size={13} stroke={1.75} /> New
  </>
)

interface FindingsProps {
  readonly preview: SheetPreview
  readonly saving: Saving
  readonly shown: Shown
}

/** The cells of a sheet by kind of finding, the most urgent first. */
export const SheetFindings = ({ preview, saving, shown }: FindingsProps) => {
  const { sheet, kind } = preview
  const noun = getSheetNoun(kind)
  const { choosing, findings, summary } = saving
  const { chosen, choose } = choosing
  const has = (section: Shown) => shown === 'all' || shown === section
  const changed = findings.changes.flatMap(({ cells }) => cells)
  const left = changed.filter(({ cell }) => chosen.cells[cell] === 'leave')
  return (
    <>
      {DECISIONS.filter(({ id }) => has(id)).map((section) => (
        <Decisions key={section.id} preview={preview} saving={saving} section={section} />
      ))}
      {has('changes') ? (
        <SheetSection
          id="changes"
          layout="changes"
          icon={<IconPencil size={20} stroke={1.75} aria-hidden />}
          title={`${formatCount(changed.length, 'change')} on ${formatCount(findings.changes.length, noun)}`}
          mark={
            <Tick
              label="Save all changes"
              checked={left.length === 0}
              isMixed={left.length > 0 && left.length < changed.length}
              onTick={() =>
                choose(
                  changed.map(({ cell }) => cell),
                  left.length === 0 ? 'leave' : undefined,
                )
              }
            />
          }
          heads={[capitalize(noun[0]), 'Field', NOW_AND_NEW]}
          rows={findings.changes}
          getKey={({ row }) => row}
        >
          {(record) => <ChangeRows sheet={sheet} record={record} chosen={chosen} onChoose={choose} />}
        </SheetSection>
      ) : null}
      {has('new') ? (
        <SheetSection
          id="new"
          layout="changes"
          icon={<IconPlus size={20} stroke={1.75} aria-hidden />}
          title={formatCount(findings.newRows.length, [`new ${noun[0]}`, `new ${noun[1]}`])}
          heads={[capitalize(noun[0]), '', '']}
          rows={findings.newRows}
          getKey={({ row }) => row}
        >
          {(record) => {
            const isLeft = chosen.leftRows.includes(record.row)
            return (
              <NewRecordRow
                sheet={sheet}
                record={record}
                isLeft={isLeft}
                held={!isLeft && summary.heldRows.has(record.row) ? 'Fix its errors first; without that the row is left out.' : undefined}
                onLeave={(isLeaving) => choosing.leaveRow(record.row, isLeaving)}
              />
            )
          }}
        </SheetSection>
      ) : null}
    </>
  )
}
