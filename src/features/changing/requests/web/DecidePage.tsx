import { Button } from '@mantine/core'
import { IconChecks, IconChevronDown, IconChevronUp, IconCircleCheckFilled } from '@tabler/icons-react'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'

import { formatDaysAgo, formatMoment } from '../../../../contract/dates.ts'
import { Problem } from '../../../../contract/problem.ts'
import { getRecordFormPath, RECORD_NOUNS } from '../../../../contract/records.ts'
import { useIsOwnAddress } from '../../../../platform/web/caller.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { errorMessage } from '../../../../platform/web/failures.ts'
import { registerOpenForm } from '../../../../platform/web/form/open-forms.ts'
import { findShortcut, isDialogOpen, takesArrowKeys, useKeyDown } from '../../../../platform/web/keyboard.ts'
import { Avatar } from '../../../../platform/web/kit/Avatar.tsx'
import { BackLink } from '../../../../platform/web/kit/BackLink.tsx'
import { BarWords, BottomBar, KeptHint, PageWithBar, SaveButton } from '../../../../platform/web/kit/BottomBar.tsx'
import { MailLink, TeamsLink } from '../../../../platform/web/kit/ContactLinks.tsx'
import { Dialog } from '../../../../platform/web/kit/Dialog.tsx'
import { LoadedRecord } from '../../../../platform/web/kit/LoadedRecord.tsx'
import { Notice } from '../../../../platform/web/kit/Notice.tsx'
import { TextButton } from '../../../../platform/web/kit/TextButton.tsx'
import { TextLink } from '../../../../platform/web/kit/TextLink.tsx'
import { RowSkeleton } from '../../../../platform/web/list/ListSkeleton.tsx'
import { useListedShortcuts } from '../../../../platform/web/shortcuts.ts'
import { showSuccess } from '../../../../platform/web/success-notice.ts'
import { useTitle } from '../../../../platform/web/title.ts'
import type { Proposal } from '../contract.ts'
import { getFormPath } from '../rules.ts'
import { DECIDE_GROUP, DECIDE_KEYS } from './decide-keys.ts'
import { DecideRow, type EditsFields } from './DecideRow.tsx'
import { acceptAll, buildDecision, type DecisionChoice, formatChoiceCounts, summarizeChoices } from './decision.ts'
import { useDecision, useProposal, useProposals, useWithdrawal } from './queries.ts'
import { rememberReasons, useChoices } from './use-choices.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './DecidePage.module.css'

interface DecideKeys {
  /** Moves to the next or previous field. */
  readonly move: (step: 1 | -1) => void
  /** Presses a button of the current field. */
  readonly press: (button: 'accept' | 'edit' | 'decline') => void
  readonly save: () => void
  /** Opens the next or previous suggestion. */
  readonly turn: (step: 1 | -1) => void
}

/** Letters do nothing while typing. */
const useDecideKeys = ({ move, press, save, turn }: DecideKeys): void =>
  useKeyDown((event) => {
    const run = (act: () => void) => {
      event.preventDefault()
      act()
    }
    const hasDialog = isDialogOpen()
    const pressed = findShortcut(event, DECIDE_KEYS)
    if (pressed === 'save') return run(() => (hasDialog ? undefined : save()))
    if (pressed === undefined || event.shiftKey || hasDialog || takesArrowKeys(event.target)) return
    if (pressed === 'down' || pressed === 'up') run(() => move(pressed === 'down' ? 1 : -1))
    else if (pressed === 'next' || pressed === 'previous') run(() => turn(pressed === 'next' ? 1 : -1))
    else run(() => press(pressed))
  })

/** The previous and next open suggestion, longest waiting first. */
const useNeighbors = (_id: string, canDecide: boolean) => {
  const { data = [] } = useProposals('open', canDecide)
  const open = data.toReversed()
  const at = open.findIndex((one) => one._id === _id)
  return { at, count: open.length, before: open[at - 1]?._id, after: at === -1 ? open[0]?._id : open[at + 1]?._id }
}

const Neighbors = ({ _id, canDecide }: Proposal) => {
  const { at, count, before, after } = useNeighbors(_id, canDecide)
  if (!canDecide || count === 0) return null
  const renderLink = (to: string | undefined, label: string, Icon: typeof IconChevronUp) =>
    to ? (
      <Link
        to="/requests/$id"
        params={{ id: to }}
        className={`${layoutClasses.centered} ${layoutClasses.outlined} ${textClasses.textColor} ${classes.pageLink}`}
        aria-label={label}
      >
        <Icon size={20} stroke={1.75} />
      </Link>
    ) : (
      <span
        className={`${layoutClasses.centered} ${layoutClasses.outlined} ${textClasses.textColor} ${classes.pageLink}`}
        data-off
        aria-hidden
      >
        <Icon size={20} stroke={1.75} />
      </span>
    )
  return (
    <nav
      className={`${layoutClasses.row} ${textClasses.dimmed} ${textClasses.unbroken} ${layoutClasses.gap8}`}
      data-print="no"
      aria-label="Open suggestions"
    >
      <span>{at === -1 ? `${count} open` : `${at + 1} of ${count} open`}</span>
      {renderLink(before, 'Previous suggestion', IconChevronUp)}
      {renderLink(after, 'Next suggestion', IconChevronDown)}
    </nav>
  )
}

const Sender = ({ sender: { name, email, person }, createdAt }: Proposal) => {
  const isOwn = useIsOwnAddress(email)
  const called = name ?? email ?? 'Someone who gave no name'
  return (
    <div className={`${layoutClasses.spaced} ${layoutClasses.topMargin12} ${layoutClasses.gap14}`}>
      <Avatar name={called} size={44} />
      <div>
        <p>
          {person ? (
            <TextLink to="/staff/$slug" params={{ slug: person.slug }} className={textClasses.strong}>
              {called}
            </TextLink>
          ) : (
            <strong>{called}</strong>
          )}
          {person && person.roles.length > 0 ? `, ${person.roles.slice(0, 2).join(', ')}` : ''}
          <span className={textClasses.note}>
            {' · sent '}
            {formatMoment(createdAt, configuration.timeZone)}, {formatDaysAgo(createdAt, configuration.timeZone)}
          </span>
        </p>
        {email ? (
          <p className={`${layoutClasses.wrappingRow} ${layoutClasses.gap4By16}`}>
            <MailLink email={email} />
            {isOwn ? null : <TeamsLink email={email} />}
          </p>
        ) : null}
      </div>
    </div>
  )
}

/** Withdraws what is open, or opens the form to change it. */
const OwnActions = ({ proposal }: { proposal: Proposal }) => {
  const [isConfirming, setConfirming] = useState(false)
  const withdrawal = useWithdrawal(proposal)
  const form = getFormPath(proposal)
  if (!proposal.fields.some(({ state }) => state === 'open')) return null
  return (
    <span className={`${layoutClasses.toolbar} ${classes.ownActions}`}>
      {form ? (
        <Button
          variant="default"
          renderRoot={(props) => <Link to={form} search={{ edit: 'suggest', suggestion: proposal._id }} {...props} />}
        >
          Change
        </Button>
      ) : null}
      <Button variant="default" aria-haspopup="dialog" onClick={() => setConfirming(true)}>
        Withdraw
      </Button>
      {isConfirming ? (
        <Dialog
          title="Withdraw this suggestion?"
          confirmLabel="Withdraw"
          isDestructive
          isBusy={withdrawal.isPending}
          error={withdrawal.error}
          onClose={() => setConfirming(false)}
          onConfirm={() =>
            withdrawal.mutate(undefined, {
              onSuccess: () => {
                setConfirming(false)
                showSuccess({ text: 'Your suggestion was withdrawn.' })
              },
            })
          }
        >
          <p>What is not decided yet will not be changed. Decided fields stay as they are.</p>
        </Dialog>
      ) : null}
    </span>
  )
}

const goToField = (path: string): void => {
  const row = document.querySelector<HTMLElement>(`[data-decide="${CSS.escape(path)}"]`)
  row?.focus({ preventScroll: true })
  row?.scrollIntoView({ block: 'center' })
}

/** What is missing or invalid before the choices can be sent. */
const findMissing = (choices: Readonly<Record<string, DecisionChoice>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(choices).flatMap(([key, choice]) =>
      choice.kind === 'decline' && choice.reason.trim() === '' ? [[key, 'Please give a reason']] : [],
    ),
  )

const MOVED = 'This suggestion was changed or decided in the meantime. The fields are up to date, and your choices are kept.'

/** State of the choices, the current field, and sending. */
const useDeciding = (proposal: Proposal) => {
  const { fields, sender, canDecide } = proposal
  const choiceState = useChoices(proposal)
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [notice, setNotice] = useState<string>()
  const decision = useDecision(proposal)
  const decidable = fields.filter(({ state }) => state === 'open')
  const summary = summarizeChoices(fields, choiceState.choices)
  const [active, setActive] = useState(canDecide ? summary.left[0]?.path : undefined)
  const choose = (path: string, choice: DecisionChoice | undefined) => {
    setErrors(({ [path]: _gone, ...others }) => others)
    choiceState.choose(path, choice)
  }
  const goTo = (path: string) => {
    setActive(path)
    goToField(path)
  }
  const save = () => {
    if (decision.isPending || decidable.length === 0) return
    const [left] = summary.left
    if (summary.accepted + summary.declined === 0) return left && goTo(left.path)
    const missing = findMissing(choiceState.choices)
    setErrors(missing)
    const [first] = Object.keys(missing)
    if (first !== undefined) return document.querySelector<HTMLElement>(`[data-reason="${CSS.escape(first)}"]`)?.focus()
    const sent = buildDecision(fields, choiceState.choices)
    setNotice(undefined)
    decision.mutate(sent, {
      onSuccess: () => {
        rememberReasons([sent.decline, ...Object.values(sent.declineOthers)].flatMap((reasons) => Object.values(reasons)))
        choiceState.clear()
        const senderNotice = sender.email ? ` ${sender.name ?? sender.email} gets an email.` : ''
        showSuccess({ text: `${formatChoiceCounts(summary)}.${senderNotice}`, link: { to: '/requests', label: 'Requests' } })
      },
      onError: (error) => {
        if (!(error instanceof Problem)) return setNotice(errorMessage(error))
        const found = Object.fromEntries(
          (error.errors ?? []).map(({ path, message }) => [path.replace(/^(accept|decline)\./, ''), message]),
        )
        if (error.status === 409 || error.status === 412) return setNotice(MOVED)
        const known = fields.filter(({ path }) => Object.keys(found).some((wrong) => wrong === path || wrong.startsWith(`${path}.`)))
        setErrors(Object.fromEntries(known.map(({ path }) => [path, found[path] ?? Object.values(found)[0] ?? error.message])))
        const [wrong] = known
        if (wrong) goTo(wrong.path)
        else setNotice(errorMessage(error))
      },
    })
  }
  const move = (step: 1 | -1) => {
    const at = decidable.findIndex(({ path }) => path === active)
    const next = at === -1 ? decidable[0] : decidable[at + step]
    if (next) goTo(next.path)
  }
  const press = (button: 'accept' | 'edit' | 'decline') => {
    const row = active === undefined ? null : document.querySelector(`[data-decide="${CSS.escape(active)}"]`)
    const buttons = [...(row?.querySelector('[role="group"]')?.querySelectorAll<HTMLElement>('button') ?? [])]
    const at = { accept: 0, edit: buttons.length === 3 ? 1 : -1, decline: buttons.length - 1 }[button]
    buttons[at]?.click()
  }
  return { ...choiceState, choose, errors, active, notice, summary, save, goTo, move, press, isSaving: decision.isPending }
}

const DecideBar = ({ deciding }: { deciding: ReturnType<typeof useDeciding> }) => {
  const navigate = useNavigate()
  const { summary, goTo, save, isSaving } = deciding
  const [left] = summary.left
  const counts = formatChoiceCounts(summary)
  return (
    <BottomBar>
      <BarWords>
        {counts ? (
          <span className={`${layoutClasses.inlineRow} ${textClasses.strong} ${classes.counts}`}>
            <IconCircleCheckFilled size={18} aria-hidden />
            {counts}
          </span>
        ) : null}
        {left ? (
          <span>
            <span className={classes.dot} aria-hidden /> {summary.left.length} left:{' '}
            <TextButton isUnderlined onClick={() => goTo(left.path)}>
              {left.label}
            </TextButton>
          </span>
        ) : null}
        {counts ? <KeptHint>Kept on this device until you save</KeptHint> : null}
      </BarWords>
      <span className={`${textClasses.caption} ${textClasses.unbroken} ${classes.hints}`} aria-hidden>
        <kbd>↑</kbd> <kbd>↓</kbd> field <kbd>A</kbd> accept <kbd>E</kbd> edit <kbd>D</kbd> decline
      </span>
      <Button variant="default" onClick={() => void navigate({ to: '/requests' })}>
        Decide Later
      </Button>
      <SaveButton loading={isSaving} onClick={save}>
        Save and Answer
      </SaveButton>
    </BottomBar>
  )
}

interface DecidePageProps extends EditsFields {
  readonly renderComments: (suggestion: string) => ReactNode
}

const Decide = ({ proposal, FieldEditor, renderComments }: DecidePageProps & { proposal: Proposal }) => {
  const { record, note, fields, canDecide, isMine } = proposal
  const deciding = useDeciding(proposal)
  const navigate = useNavigate()
  const { before, after } = useNeighbors(proposal._id, canDecide)
  useEffect(registerOpenForm, [])
  const isOpen = fields.some(({ state }) => state === 'open')
  useListedShortcuts(DECIDE_GROUP)
  useDecideKeys({
    move: deciding.move,
    press: deciding.press,
    save: () => (canDecide && isOpen ? deciding.save() : undefined),
    turn: (step) => {
      const id = step === 1 ? after : before
      if (id !== undefined) void navigate({ to: '/requests/$id', params: { id } })
    },
  })
  return (
    <PageWithBar className={classes.page}>
      <header className={`${layoutClasses.bottomMargin20} ${classes.head}`}>
        <div className={`${layoutClasses.spaceBetween} ${layoutClasses.flex} ${layoutClasses.alignCenter} ${layoutClasses.minHeight36}`}>
          <BackLink to="/requests" label={canDecide ? 'Requests' : 'My Requests'} />
          <Neighbors {...proposal} />
        </div>
        <h1 tabIndex={-1}>Suggested changes to {record.name}</h1>
        <Sender {...proposal} />
        {note ? (
          <div className={`${layoutClasses.breakable} ${layoutClasses.railGround} ${textClasses.preserved} ${classes.noteBox}`}>
            <span className={textClasses.note}>Note</span>
            <p>{note}</p>
          </div>
        ) : null}
      </header>
      {deciding.notice ? (
        <Notice tone="bad" live>
          {deciding.notice}
        </Notice>
      ) : null}
      <div className={`${layoutClasses.spreadRow} ${classes.tools}`}>
        <h2>{fields.length === 1 ? '1 field' : `${fields.length} fields`}</h2>
        <span className={`${layoutClasses.toolbar} ${classes.toolLinks}`}>
          <TextLink to={getRecordFormPath(record)}>Open {RECORD_NOUNS[record.kind][0]} page</TextLink>
          {isMine ? <OwnActions proposal={proposal} /> : null}
          {canDecide && isOpen ? (
            <Button
              variant="default"
              leftSection={<IconChecks size={18} stroke={1.75} aria-hidden />}
              onClick={() => deciding.chooseAll(acceptAll(fields, deciding.choices))}
            >
              Accept All
            </Button>
          ) : null}
        </span>
      </div>
      <div className={`${textClasses.note} ${layoutClasses.lineBelow} ${textClasses.strong} ${classes.columns}`} aria-hidden>
        <span>Field</span>
        <span>{isOpen ? 'Now' : 'Before'}</span>
        <span>Suggested</span>
        <span>Decision</span>
      </div>
      <ul className={classes.rows} aria-label="Fields">
        {fields.map((field) => (
          <DecideRow
            key={field.path}
            kind={record.kind}
            field={field}
            sender={(proposal.sender.name ?? 'the sender').split(' ')[0] ?? ''}
            choices={deciding.choices}
            errors={deciding.errors}
            isActive={deciding.active === field.path}
            onChoose={canDecide ? deciding.choose : undefined}
            FieldEditor={FieldEditor}
          />
        ))}
      </ul>
      {renderComments(proposal._id)}
      {canDecide && isOpen ? <DecideBar deciding={deciding} /> : null}
    </PageWithBar>
  )
}

/** `/requests/$id`: a suggestion, decided field by field; its sender can see the outcome here. */
export const DecidePage = (props: DecidePageProps) => {
  const { id = '' } = useParams({ strict: false })
  const query = useProposal(id)
  useTitle(query.data && `Suggested changes to ${query.data.record.name}`)
  return (
    <LoadedRecord query={query} what="suggestion" back={<BackLink to="/requests" label="Requests" />} skeleton={<RowSkeleton />}>
      {(proposal) => <Decide key={proposal._id} proposal={proposal} {...props} />}
    </LoadedRecord>
  )
}
