import { Button, Textarea } from '@mantine/core'
import { IconAt } from '@tabler/icons-react'
import { type ChangeEvent, type ComponentType, type KeyboardEvent, useEffect, useRef, useState } from 'react'

import { type Mentioned, toStoredText } from '../../../../contract/mentions.ts'
import { toFieldErrors } from '../../../../contract/problem.ts'
import { errorMessage } from '../../../../platform/web/failures.ts'
import { deleteDraft, readDraft, saveDraft } from '../../../../platform/web/form/drafts.ts'
import { registerOpenForm } from '../../../../platform/web/form/open-forms.ts'
import { ButtonPanel } from '../../../../platform/web/kit/ButtonPanel.tsx'
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
  onChoose: (person: Mentioned | null) => void
}>

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
  const [isPicking, setPicking] = useState(false)
  const [error, setError] = useState<string>()
  const field = useRef<HTMLTextAreaElement>(null)
  const creation = useCreateComment(record)
  const isTyped = text.trim() !== ''
  useEffect(() => (isTyped ? registerOpenForm() : undefined), [isTyped])

  const send = () => {
    if (creation.isPending) return
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
  const onType = ({ currentTarget: { value, selectionStart }, nativeEvent }: ChangeEvent<HTMLTextAreaElement>) => {
    change({ text: value, people })
    setError(undefined)
    if ('data' in nativeEvent && nativeEvent.data === '@' && /(^|\s)@$/.test(value.slice(0, selectionStart))) setPicking(true)
  }
  const mention = (person: Mentioned | null) => {
    setPicking(false)
    if (!person) return
    const at = field.current?.selectionStart ?? text.length
    const before = text.slice(0, at).replace(/@$/, '')
    const start = `${before}${before === '' || /\s$/.test(before) ? '' : ' '}@${person.name} `
    change({ text: start + text.slice(at).replace(/^ /, ''), people: [...people.filter(({ _id }) => _id !== person._id), person] })
    // Once the new text is in the field, which gets the focus back from the picker.
    requestAnimationFrame(() => field.current?.setSelectionRange(start.length, start.length))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
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
          isOpen={isPicking}
          onToggle={setPicking}
          label="Mention someone"
          className={classes.panel}
          width={340}
          position="bottom-start"
          button={
            <Button
              variant="default"
              leftSection={<IconAt size={17} stroke={1.75} aria-hidden />}
              aria-haspopup="dialog"
              onClick={() => {
                field.current?.focus()
                setPicking(true)
              }}
            >
              Mention
            </Button>
          }
        >
          {isPicking ? <PersonPicker label="Mention someone" chosen={null} isFirst onChoose={mention} /> : null}
        </ButtonPanel>
        {isTyped ? <kbd className={`${layoutClasses.notOnPhones} ${textClasses.caption}`}>{SEND_KEYS}</kbd> : null}
      </div>
    </form>
  )
}
