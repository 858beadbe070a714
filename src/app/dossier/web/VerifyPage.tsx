import { Button } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconFileSearch, type Icon } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type DragEvent, useRef, useState } from 'react'

import { formatDay, formatMoment } from '../../../contract/dates.ts'
import { send } from '../../../platform/web/client.ts'
import { configuration } from '../../../platform/web/configuration.ts'
import { errorMessage } from '../../../platform/web/failures.ts'
import { type Fact, Facts } from '../../../platform/web/kit/Facts.tsx'
import { Notice } from '../../../platform/web/kit/Notice.tsx'
import { Logo } from '../../../platform/web/shell/Logo.tsx'
import { useTitle } from '../../../platform/web/title.ts'
import { type Verification, verifyDossier } from '../contract.ts'
import { MAX_FILE_BYTES } from '../rules.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './Dossier.module.css'

const ANSWERS: Readonly<Record<Verification['result'], { tone: string; icon: Icon; title: string; text: string }>> = {
  unchanged: {
    tone: 'ok',
    icon: IconCircleCheck,
    title: 'This file was made here and is unchanged',
    text: 'Every byte is as this server made it.',
  },
  changed: {
    tone: 'bad',
    icon: IconAlertTriangle,
    title: 'This file was changed since it was made here',
    text: 'It has the identifier of a dossier of this server, but not its bytes. Do not rely on what it says.',
  },
  unknown: {
    tone: 'off',
    icon: IconCircleX,
    title: 'This server did not make this file',
    text: 'It is not a dossier of this server, or its identifier was removed.',
  },
}

const formatSignature = ({ signature: { state, by, isOfDossier } }: Verification): string => {
  if (state === 'none') return 'None'
  const name = by === null ? '' : ` of ${by}`
  if (state === 'invalid') return `The signature${name} is not valid for this file`
  return isOfDossier ? `Valid, by ${by ?? ''}` : `Valid${name}, who did not sign this dossier here`
}

const toFacts = (name: string, verification: Verification): Fact[] => {
  const { dossier, file } = verification
  const { timeZone } = configuration
  const signature = { label: 'Signature', value: formatSignature(verification) }
  if (!dossier) return [{ label: 'File', value: name }, signature]
  return [
    { label: 'File', value: name },
    { label: 'Charter', value: dossier.charter },
    { label: 'Made', value: dossier.madeAt === null ? null : formatMoment(dossier.madeAt, timeZone) },
    { label: 'State of', value: formatDay(dossier.on) },
    { label: 'Changes', value: `${formatDay(dossier.from)} to ${formatDay(dossier.to)}` },
    { label: 'After change', value: dossier.change === null ? null : String(dossier.change) },
    ...(file === 'zip' ? [{ label: 'Signature', value: 'In the PDF that the ZIP contains' }] : [signature]),
    { label: 'Identifier', value: dossier._id },
  ]
}

const Result = ({ name, verification }: { name: string; verification: Verification }) => {
  const { tone, icon: IconComponent, title, text } = ANSWERS[verification.result]
  return (
    <section className={`${layoutClasses.card} ${layoutClasses.flex} ${layoutClasses.downward} ${classes.result}`} aria-labelledby="answer">
      <div className={`${layoutClasses.row} ${layoutClasses.band} ${classes.answer}`} data-tone={tone}>
        <IconComponent size={22} stroke={1.75} aria-hidden className={layoutClasses.rigid} />
        <div>
          <h2 id="answer" className={textClasses.sectionTitle}>
            {title}
          </h2>
          <p className={textClasses.small}>{text}</p>
        </div>
      </div>
      <Facts facts={toFacts(name, verification)} />
    </section>
  )
}

/** `/verify`: whether this server made a file, and whether it was changed since. It needs no session. */
export const VerifyPage = () => {
  useTitle('Verify a Dossier')
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const verifying = useMutation({
    mutationFn: async (file: File) => {
      if (file.size > MAX_FILE_BYTES) throw new Error('This file is larger than 24 MB, so it is not a dossier.')
      return { name: file.name, verification: await send(verifyDossier, { file }) }
    },
  })
  const verify = (files: FileList | null | undefined) => {
    const [file] = files ?? []
    if (file) verifying.mutate(file)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    verify(event.dataTransfer.files)
  }
  return (
    <main id="main" className={classes.page}>
      <p className={`${layoutClasses.iconAndText} ${layoutClasses.bottomMargin28} ${textClasses.textColor} ${textClasses.strong}`}>
        <Logo /> Homeroom
      </p>
      <h1 tabIndex={-1}>Verify a Dossier</h1>
      <p className={textClasses.dimmed}>
        Drop the PDF or ZIP of a charter dossier here. You see whether this server made it, when, from which state, and whether a byte was
        changed since. The file is not kept.
      </p>
      <div
        className={`${textClasses.centeredText} ${classes.drop}`}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <IconFileSearch size={32} stroke={1.5} aria-hidden className={textClasses.dimmed} />
        <span className={textClasses.strong}>Drop a file here</span>
        <input
          ref={input}
          type="file"
          accept=".pdf,.zip"
          aria-label="File to verify"
          tabIndex={-1}
          className={layoutClasses.visuallyHidden}
          onChange={({ currentTarget }) => {
            verify(currentTarget.files)
            // The same file can be chosen again.
            currentTarget.value = ''
          }}
        />
        <Button loading={verifying.isPending} onClick={() => input.current?.click()}>
          Choose a File
        </Button>
      </div>
      <div aria-live="polite">
        {verifying.data ? <Result {...verifying.data} /> : null}
        {verifying.error ? <Notice tone="bad">{errorMessage(verifying.error)}</Notice> : null}
      </div>
    </main>
  )
}
