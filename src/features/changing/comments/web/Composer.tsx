import { Button, Textarea } from '@mantine/core'
import { IconAt } from '@tabler/icons-react'
import { type ChangeEvent, type ComponentType, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

import { type Mentioned, toStoredText } from '../../../../contract/mentions.ts'
import { toFieldErrors } from '../../../../contract/problem.ts'
import { errorMessage } from '../../../../platform/web/failures.ts'
import { deleteDraft, readDraft, saveDraft } from '../../../../platform/web/form/drafts.ts'
import { registerOpenForm } from '../../../../platform/web/form/open-forms.ts'
import { isPressed } from '../../../../platform/web/keyboard.ts'
import { ButtonPanel } from '../../../../platform/web/kit/ButtonPanel.tsx'
import { useListedShortcuts } from '../../../../platform/web/shortcuts.ts'
import { MAX_COMMENT_LENGTH, NewComment } from '../contract.ts'
import { type CommentedRecord, useCreateComment } from './queries.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './Comments.module.css'

/** The person picker; passed in, since people are records. */
export type MentionPicker = ComponentType<{
  label: string
  chosen: null
  isFirst: boolean
  /** What is searched for, kept outside of the picker. */
  text: string
  onType: (text: string) => void
  onChoose: (person: Mentioned | null) => void
}>

const SEND = { keys: ['Ctrl Enter'], does: 'Send the comment' }
const COMMENT_GROUP = { title: 'Comments', shortcuts: { send: SEND } }

interface Typed {
  readonly text: string
  /** People chosen in the picker, whose names are in the text. */
  readonly people: readonly Mentioned[]
}
const NOTHING: Typed = { text: '', people: [] }

/** What was typed, kept on this device until it is sent. */
const useTyped = ({ kind, _id }: CommentedRecord) => {
  const name = `comment ${kind} ${_id}`
  const [typed, setTyped] = useState<Typed>(() => (readDraft(name)?.values as Typed | undefined) ?? NOTHING)
  const change = (next: Typed) => {
    setTyped(next)
    if (next.text.trim() === '') deleteDraft(name)
    else saveDraft(name, { at: new Date().toISOString(), version: null, base: {}, values: { ...next }, page: null })
  }
  return [typed, change] as const
}

const SEND_KEYS = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘ Enter' : 'Ctrl Enter'

interface ComposerProps {
  readonly record: CommentedRecord
  readonly PersonPicker: MentionPicker
  /** Who can read the comment. */
  readonly audience: string
}

/** The field for a new comment: `@` opens the person picker, Ctrl Enter sends. */
export const Composer = ({ record, PersonPicker, audience }: ComposerProps) => {
  const [{ text, people }, change] = useTyped(record)
  // Where the text has the `@` that opened the picker, and where what is searched for ends.
  const [picking, setPicking] = useState<{ at: number; end: number }>()
  const [error, setError] = useState<string>()
  const field = useRef<HTMLTextAreaElement>(null)
  const creation = useCreateComment(record)
  const isTyped = text.trim() !== ''
  useEffect(() => (isTyped ? registerOpenForm() : undefined), [isTyped])

  const send = () => {
    if (creation.isPending) return
    setPicking(undefined)
    const stored = toStoredText(text, people)
    const checked = NewComment.safeParse({ text: stored })
    setError(checked.success ? undefined : toFieldErrors(checked.error)[0]?.message)
    if (!checked.success) return field.current?.focus()
    creation.mutate(stored, {
      onSuccess: () => change(NOTHING),
      onError: (failure) => {
        setError(errorMessage(failure))
        field.current?.focus()
      },
    })
  }
  const onType = ({ currentTarget: { value, selectionStart: end }, nativeEvent }: ChangeEvent<HTMLTextAreaElement>) => {
    change({ text: value, people })
    setError(undefined)
    // The picker gets the focus a moment later: until then, its search is typed here.
    if (picking) setPicking(value[picking.at] === '@' && end > picking.at ? { ...picking, end } : undefined)
    else if ('data' in nativeEvent && nativeEvent.data === '@' && /(^|\s)@$/.test(value.slice(0, end))) setPicking({ at: end - 1, end })
  }
  /** Replaces a part of the text, with the focus and the caret behind it in the same moment, so that no key is lost. */
  const replace = (from: number, to: number, by: string, next: typeof picking, mentioned = people) => {
    flushSync(() => {
      change({ text: text.slice(0, from) + by + text.slice(to), people: mentioned })
      setPicking(next)
    })
    field.current?.focus()
    field.current?.setSelectionRange(from + by.length, from + by.length)
  }
  const openPicker = () => {
    if (picking) return
    const caret = field.current?.selectionStart ?? text.length
    const sign = /\S$/.test(text.slice(0, caret)) ? ' @' : '@'
    const end = caret + sign.length
    replace(caret, caret, sign, { at: end - 1, end })
  }
  const closePicker = () => {
    if (picking) field.current?.setSelectionRange(picking.end, picking.end)
    setPicking(undefined)
  }
  const mention = (person: Mentioned | null) => {
    if (!person || !picking) return
    const { at, end } = picking
    replace(at, text[end] === ' ' ? end + 1 : end, `@${person.name} `, undefined, [
      ...people.filter(({ _id }) => _id !== person._id),
      person,
    ])
  }
  useListedShortcuts(COMMENT_GROUP)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setPicking(undefined)
    if (!isPressed(event, SEND)) return
    event.preventDefault()
    send()
  }
  return (
    <form
      noValidate
      className={layoutClasses.topMargin12}
      data-print="no"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <Textarea
        ref={field}
        aria-label="New comment"
        placeholder="Write a comment. Type @ to mention someone."
        description={isTyped ? audience : undefined}
        inputWrapperOrder={['input', 'description', 'error']}
        autosize
        minRows={isTyped ? 3 : 1}
        maxRows={12}
        maxLength={MAX_COMMENT_LENGTH}
        value={text}
        error={error}
        onChange={onType}
        onKeyDown={onKeyDown}
      />
      <div className={`${layoutClasses.toolbar} ${layoutClasses.topMargin8}`}>
        <Button type="submit" loading={creation.isPending} variant={isTyped ? 'filled' : 'default'} aria-keyshortcuts="Control+Enter">
          Comment
        </Button>
        <ButtonPanel
          isOpen={picking !== undefined}
          onToggle={closePicker}
          label="Mention someone"
          className={classes.panel}
          width={340}
          position="bottom-start"
          button={
            <Button
              variant="default"
              leftSection={<IconAt size={17} stroke={1.75} aria-hidden />}
              aria-haspopup="dialog"
              onClick={openPicker}
            >
              Mention
            </Button>
          }
        >
          {picking ? (
            <PersonPicker
              label="Mention someone"
              chosen={null}
              isFirst
              text={text.slice(picking.at + 1, picking.end)}
              onType={(typed) => {
                const start = picking.at + 1
                change({ text: text.slice(0, start) + typed + text.slice(picking.end), people })
                setPicking({ ...picking, end: start + typed.length })
              }}
              onChoose={mention}
            />
          ) : null}
        </ButtonPanel>
        {isTyped ? <kbd className={`${layoutClasses.notOnPhones} ${textClasses.caption}`}>{SEND_KEYS}</kbd> : null}
      </div>
    </form>
  )
}
