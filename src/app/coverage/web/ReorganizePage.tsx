import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconArrowRight, IconArrowsExchange } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'

import { formatDay, toIsoDay } from '../../../contract/dates.ts'
import { day as isoDay } from '../../../contract/fields.ts'
import { formatCount } from '../../../contract/format.ts'
import { getRecordPath, RECORD_NOUNS } from '../../../contract/records.ts'
import { getDayBefore, isLeftOut } from '../../../features/changing/changesets/rules.ts'
import { useBulkPreview, useBulkSave } from '../../../features/changing/changesets/web/queries.ts'
import { configuration } from '../../../platform/web/configuration.ts'
import { errorMessage } from '../../../platform/web/failures.ts'
import { registerOpenForm } from '../../../platform/web/form/open-forms.ts'
import { isSaveKey, SAVE, useKeyDown } from '../../../platform/web/keyboard.ts'
import { Avatar } from '../../../platform/web/kit/Avatar.tsx'
import { BackLink } from '../../../platform/web/kit/BackLink.tsx'
import { BarWords, BottomBar, PageWithBar, SaveButton } from '../../../platform/web/kit/BottomBar.tsx'
import { Dialog } from '../../../platform/web/kit/Dialog.tsx'
import { Notice } from '../../../platform/web/kit/Notice.tsx'
import { Parts } from '../../../platform/web/kit/Parts.tsx'
import { FilterToggle } from '../../../platform/web/list/Filters.tsx'
import { RowSkeleton } from '../../../platform/web/list/ListSkeleton.tsx'
import { LoadedList } from '../../../platform/web/list/LoadedList.tsx'
import { Tick } from '../../../platform/web/list/Tick.tsx'
import { useListedShortcuts } from '../../../platform/web/shortcuts.ts'
import { useTitle } from '../../../platform/web/title.ts'
import { useRegions } from '../../../records/regions/web/queries.ts'
import type { CoveredSite } from '../contract.ts'
import { PersonSelect } from './PersonSelect.tsx'
import { PositionRow } from './PositionRow.tsx'
import { useCoverage } from './queries.ts'
import {
  countSites,
  findMostGiven,
  type Holder,
  MAX_SITES_UNASKED,
  REORGANIZE_MODES,
  type ReorganizeMode,
  summarizeDecisions,
  toOwnChanges,
} from './reorganize.ts'
import { useDecisions } from './use-decisions.ts'
import { type ReorganizeQuestion, useReorganizeQuestion } from './use-reorganize-question.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './ReorganizePage.module.css'

const SHORTCUTS = { title: 'Reorganize', shortcuts: { save: SAVE } }

const MODE_LABELS: Readonly<Record<ReorganizeMode, string>> = {
  give: 'Give sites to someone else',
  fill: 'Fill vacant positions',
  swap: 'Swap two people',
  sites: 'Selected sites',
}
const PREVIEW_DELAY_MS = 300
/** Each row contains a person field, so more rows are only rendered on request. */
const ROWS_AT_ONCE = 200
const NO_SITES: readonly CoveredSite[] = []

const formatTitle = ({ mode, from, to, ticked }: ReorganizeQuestion): string => {
  if (mode === 'give') return from ? `Give ${from.name}’s sites to someone else` : 'Give sites to someone else'
  if (mode === 'swap') return from ? `Swap the sites of ${from.name} and ${to?.name ?? 'someone else'}` : 'Swap two people'
  if (mode === 'sites') return `Reorganize ${formatCount(ticked.size, 'site')}`
  return 'Fill vacant positions'
}

const formatSummary = ({ mode, from, roles, positions, region }: ReorganizeQuestion, regionName: string | undefined): string => {
  const sites = new Set(positions.map(({ site }) => site._id)).size
  const role = roles.join(', ')
  if (mode === 'fill') return `${formatCount(positions.length, 'vacant position')}${region ? ` in ${regionName ?? region}` : ''}: ${role}.`
  if (mode === 'sites') return `Who is ${role} at these sites is replaced.`
  if (!from) return 'Choose whose sites they are.'
  if (mode === 'swap') return `They trade their sites as ${role}.`
  return sites === 0 ? `${from.name} has no role at a site.` : `${from.name} is ${role} of ${formatCount(sites, 'site')}.`
}

const PersonBox = ({ person, note }: { person: Holder; note: string }) => (
  <div className={`${layoutClasses.row} ${classes.person}`}>
    <Avatar name={person.name} size={44} />
    <span>
      <strong>{person.name}</strong>
      <span className={textClasses.dimmed}>{note}</span>
    </span>
  </div>
)

/** The later day in the URL, otherwise today. */
const readDay = (given: string | undefined, today: string): string =>
  given !== undefined && isoDay.safeParse(given).success && given > today ? given : today

/** The label of a required person field. */
const Label = ({ text }: { text: string }) => (
  <span className={`${layoutClasses.block} ${textClasses.smallFont} ${textClasses.strong} ${classes.label}`}>
    {text}
    <span aria-hidden className={textClasses.required}>
      {' '}
      *
    </span>
  </span>
)

/** The label of the save button; without a number while nothing changes. */
const formatSave = (count: number, isLater: boolean): string => {
  if (count === 0) return isLater ? 'Plan Changes' : 'Change Sites'
  return isLater ? `Plan ${formatCount(count, 'change')}` : `Change ${formatCount(count, 'site')} now`
}

const formatNothing = (isFromMissing: boolean, isToMissing: boolean): string =>
  isFromMissing ? 'Choose whose sites they are' : isToMissing ? 'Choose who gets them' : 'Nothing is selected yet'

const Reorganize = ({ sites }: { sites: readonly CoveredSite[] }) => {
  const question = useReorganizeQuestion(sites)
  const { mode, from, to, roles, role, offered, roleIds, region, positions, address, change } = question
  const { decisions, isPending, decide: keep, restart } = useDecisions(positions, address, mode === 'fill', change)
  const navigate = useNavigate()
  const { data: regions = [] } = useRegions()
  const [today] = useState(() => toIsoDay(new Date(), configuration.timeZone))
  const [day, setDay] = useState(() => readDay(address['day'], today))
  const [missing, setMissing] = useState<'from' | 'to' | 'day' | 'nothing' | null>(null)
  const [limit, setLimit] = useState(ROWS_AT_ONCE)
  const [isAsking, setAsking] = useState(false)
  const isLater = day > today
  const title = formatTitle(question)
  useTitle(title)
  useEffect(registerOpenForm, [])

  const own = useMemo(() => toOwnChanges(positions, decisions, roleIds), [positions, decisions, roleIds])
  const bulk = useMemo(() => {
    const ids = Object.keys(own)
    return ids.length === 0 ? null : { kind: 'site' as const, ids, changes: {}, own }
  }, [own])
  const [given] = useDebouncedValue(bulk, PREVIEW_DELAY_MS)
  const preview = useBulkPreview(bulk === null ? null : given)
  const rows = useMemo(() => new Map((bulk === null ? [] : (preview.data?.rows ?? [])).map((row) => [row._id, row])), [bulk, preview.data])
  const changing = [...rows.values()].filter((row) => row.state === 'change' && !isLeftOut(row))
  const isFresh = !isPending && given === bulk && !preview.isFetching && !preview.isPlaceholderData
  const saving = useBulkSave(RECORD_NOUNS.site, async () => {
    await navigate(from ? { to: '/staff/$slug', params: { slug: from.slug } } : { to: mode === 'sites' ? '/locations' : '/coverage' })
  })
  const decide: typeof keep = (next) => {
    saving.reset()
    setMissing(null)
    keep(next)
  }
  const choose = (next: Record<string, string | undefined>) => {
    saving.reset()
    setMissing(null)
    restart(next)
  }
  // Whoever gives away their own sites has named them all; vacant and selected ones add up by a single tick.
  const most = mode === 'fill' || mode === 'sites' ? findMostGiven(positions, decisions) : null
  const isFromMissing = (mode === 'give' || mode === 'swap') && !from
  const save = () => {
    const lack = isFromMissing ? 'from' : !to && !bulk ? 'to' : day < today ? 'day' : null
    if (lack === null && bulk && (!isFresh || changing.length > 0)) {
      if (most !== null && most.sites > MAX_SITES_UNASKED && !isAsking) return setAsking(true)
      return saving.mutate({ bulk, rows: isFresh ? changing : null, day: isLater ? day : null })
    }
    setMissing(lack ?? 'nothing')
    if (lack) document.querySelector<HTMLElement>(`#reorganize-${lack} :is(button, input)`)?.focus()
  }
  useListedShortcuts(SHORTCUTS)
  useKeyDown((event) => {
    if (!isSaveKey(event)) return
    event.preventDefault()
    save()
  })

  const load = (person: Holder): string => {
    const { now, after } = countSites(sites, roles, positions, decisions, person)
    return `${formatCount(now, 'site')} now, ${after.toLocaleString('en-US')} after`
  }
  const getSelectProps = (chosen: Holder | null, other: Holder | null) => ({
    chosen,
    note: chosen ? load(chosen) : undefined,
    isLarge: true,
    excludedId: other?._id,
  })
  const staying = positions.filter(({ key }) => decisions.stays.has(key)).length
  const count = changing.length
  const Between = mode === 'swap' ? IconArrowsExchange : IconArrowRight
  const regionName = regions.find(({ slug }) => slug === region)?.name
  const roleSelect =
    offered.length > 1 || mode === 'fill' || mode === 'sites' ? (
      <NativeSelect
        className={classes.roles}
        classNames={mode === 'fill' || mode === 'sites' ? TALL : {}}
        label="Role"
        data={[
          ...(mode === 'give' || mode === 'swap' ? [{ value: '', label: `All ${offered.length} roles` }] : []),
          ...offered.map((one) => ({ value: one, label: one })),
        ]}
        value={role}
        onChange={(event) => choose({ role: event.currentTarget.value || undefined })}
      />
    ) : null
  return (
    <PageWithBar className={classes.page}>
      {from ? (
        <BackLink to={getRecordPath({ kind: 'person', slug: from.slug })} label={from.name} />
      ) : (
        <BackLink to="/coverage" label="Coverage" />
      )}
      <h1 tabIndex={-1}>{title}</h1>
      <p className={textClasses.dimmed}>{formatSummary(question, regionName)}</p>
      <div className={`${layoutClasses.wrappingRow} ${classes.modes}`} role="group" aria-label="What to do">
        {REORGANIZE_MODES.filter((one) => one !== 'sites' || question.ticked.size > 0).map((one) => (
          <FilterToggle key={one} label={MODE_LABELS[one]} on={mode === one} onToggle={() => choose({ mode: one, role: undefined })} />
        ))}
      </div>
      {saving.error || preview.error ? (
        <Notice tone="bad" live>
          {errorMessage(saving.error ?? preview.error)}
        </Notice>
      ) : null}
      <div className={`${layoutClasses.grid} ${classes.question}`} data-mode={mode}>
        {mode === 'give' || mode === 'swap' ? (
          <>
            <div id="reorganize-from">
              <Label text={mode === 'swap' ? 'First person' : 'From'} />
              {from && mode === 'give' ? (
                <PersonBox person={from} note={load(from)} />
              ) : (
                <PersonSelect
                  label={mode === 'swap' ? 'First person' : 'From'}
                  {...getSelectProps(from, to)}
                  onChoose={({ slug }) => choose({ from: slug })}
                />
              )}
              {missing === 'from' ? (
                <p className={`${textClasses.label} ${textClasses.required} ${layoutClasses.topMargin4}`}>Choose whose sites they are</p>
              ) : null}
            </div>
            <Between size={20} stroke={1.75} aria-hidden className={classes.arrow} />
          </>
        ) : (
          <>
            {mode === 'fill' ? (
              <NativeSelect
                label="Region"
                classNames={TALL}
                data={[{ value: '', label: 'All regions' }, ...regions.map(({ slug, name }) => ({ value: slug, label: name }))]}
                value={region ?? ''}
                onChange={(event) => choose({ region: event.currentTarget.value || undefined })}
              />
            ) : null}
            {roleSelect}
          </>
        )}
        <div id="reorganize-to">
          <Label text={mode === 'swap' ? 'Second person' : 'To'} />
          <PersonSelect
            label={mode === 'swap' ? 'Second person' : 'To'}
            {...getSelectProps(to, from)}
            onChoose={({ slug }) => {
              setMissing(null)
              change({ to: slug })
            }}
          />
          {missing === 'to' ? (
            <p className={`${textClasses.label} ${textClasses.required} ${layoutClasses.topMargin4}`}>Choose who gets them</p>
          ) : null}
        </div>
        <div id="reorganize-day">
          <TextInput
            label="Effective date"
            required
            type="date"
            min={today}
            max="2199-12-31"
            classNames={TALL}
            value={day}
            onChange={(event) => {
              setMissing(null)
              const next = event.currentTarget.value || today
              setDay(next)
              change({ day: next > today ? next : undefined })
            }}
            error={missing === 'day' ? 'Choose today or a later day' : null}
          />
        </div>
        {mode === 'give' || mode === 'swap' ? roleSelect : null}
      </div>
      {positions.length === 0 ? (
        <p className={`${textClasses.dimmed} ${classes.none}`}>{mode === 'fill' ? 'No position is vacant.' : 'No sites to display'}</p>
      ) : (
        <>
          <div className={`${layoutClasses.spreadRow} ${textClasses.smallFont} ${classes.head}`}>
            <h2>
              {(positions.length - staying).toLocaleString('en-US')} of{' '}
              {formatCount(positions.length, roles.length > 1 ? 'position' : 'site')} selected
            </h2>
            <span className={textClasses.dimmed}>Each site can go to someone else.</span>
          </div>
          <table className={`${layoutClasses.fullWidth} ${textClasses.smallFont} ${classes.table}`} aria-label="Positions">
            <thead>
              <tr>
                <th scope="col" className={classes.tick}>
                  <Tick
                    label={`Change all ${positions.length.toLocaleString('en-US')}`}
                    checked={staying === 0}
                    isMixed={staying > 0 && staying < positions.length}
                    onTick={() => decide({ ...decisions, stays: staying === 0 ? new Set(positions.map(({ key }) => key)) : new Set() })}
                  />
                </th>
                <th scope="col">Site</th>
                <th scope="col">City</th>
                <th scope="col">{isLater ? `Until ${formatDay(getDayBefore(day))}` : 'Now'}</th>
                <th scope="col">{isLater ? `From ${formatDay(day)}` : 'From today'}</th>
              </tr>
            </thead>
            <tbody>
              {positions.slice(0, limit).map((position) => (
                <PositionRow
                  key={position.key}
                  position={position}
                  hasRole={roles.length > 1}
                  decisions={decisions}
                  row={own[position.site._id] ? rows.get(position.site._id) : undefined}
                  isLater={isLater}
                  onStay={(stays) => {
                    const next = new Set(decisions.stays)
                    if (stays) next.add(position.key)
                    else next.delete(position.key)
                    decide({ ...decisions, stays: next })
                  }}
                  onChoose={(successor) => decide({ ...decisions, others: new Map(decisions.others).set(position.key, successor) })}
                />
              ))}
            </tbody>
          </table>
          {positions.length > limit ? (
            <Button variant="default" mt="sm" onClick={() => setLimit(limit + ROWS_AT_ONCE)}>
              Show {Math.min(ROWS_AT_ONCE, positions.length - limit).toLocaleString('en-US')} more
            </Button>
          ) : null}
        </>
      )}
      <BottomBar>
        <BarWords>
          {missing === 'nothing' ? (
            <strong>Nothing would change.</strong>
          ) : count > 0 ? (
            <Parts>
              <strong>
                {formatCount(count, 'site')} {count === 1 ? 'changes' : 'change'} {isLater ? `on ${formatDay(day)}` : 'today'}
              </strong>
              <span className={textClasses.dimmed}>{summarizeDecisions(positions, decisions)}</span>
            </Parts>
          ) : (
            <span className={textClasses.dimmed}>{formatNothing(isFromMissing, !to && !bulk)}</span>
          )}
        </BarWords>
        <Button
          variant="default"
          onClick={() => void navigate(from ? { to: '/staff/$slug', params: { slug: from.slug } } : { to: '/coverage' })}
        >
          Cancel
        </Button>
        <SaveButton loading={saving.isPending} onClick={save}>
          {formatSave(count, isLater)}
        </SaveButton>
      </BottomBar>
      {isAsking && most ? (
        <Dialog
          title={`Give ${most.person.name} ${formatCount(most.sites, 'site')}?`}
          confirmLabel={formatSave(count, isLater)}
          focusesCancel
          isBusy={saving.isPending}
          error={saving.error}
          onConfirm={save}
          onClose={() => setAsking(false)}
        >
          <p>{summarizeDecisions(positions, decisions)}.</p>
        </Dialog>
      ) : null}
    </PageWithBar>
  )
}

/** The height of the person boxes in the same row. */
const TALL = { input: classes.largeInput ?? '' }

/** `/reorganize`: moves roles at many sites from one person to others, fills vacant positions, or swaps two people, today or from a later day. */
export const ReorganizePage = () => {
  const query = useCoverage()
  return (
    <LoadedList query={query} skeleton={<RowSkeleton />}>
      {(sites) => <Reorganize sites={sites.length > 0 ? sites : NO_SITES} />}
    </LoadedList>
  )
}
