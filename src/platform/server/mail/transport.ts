import { randomUUID } from 'node:crypto'
import { link, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'

import type { Transporter } from 'nodemailer'

import type { Configuration } from '../configuration.ts'
import { getErrorCode } from '../error-code.ts'
import { syncFolder } from '../folder-sync.ts'
import { getErrorReason } from '../startup-errors.ts'

/** A mail to send. It is the same at every attempt, except for the recipients who already have it. */
export interface OutgoingMail {
  readonly _id: string
  readonly messageId: string
  readonly recipients: readonly string[]
  /** Recipients who already have it. */
  readonly accepted: readonly string[]
  readonly subject: string
  readonly body: string
  readonly html: string | null
  readonly replyName: string | null
  readonly replyTo: string | null
  readonly createdAt: Date
}

/** The result of an attempt. */
export interface SendResult {
  /** All recipients who have it, including those of earlier attempts. */
  readonly accepted: readonly string[]
  /** Why the others do not have it: the mail server's response, or why it could not be reached. */
  readonly problem: string | null
  /** Whether every refusal was permanent, so that another attempt is pointless. */
  readonly isPermanent: boolean
}

export interface MailTransport {
  readonly kind: 'mail' | 'file'
  readonly send: (letter: OutgoingMail) => Promise<SendResult>
}

const CONNECTING_MS = 10_000
const GREETING_MS = 10_000
const SILENCE_MS = 30_000
const MAX_PROBLEM_LENGTH = 500

const toMessage = ({ messageId, recipients, subject, body, html, replyName, replyTo, createdAt }: OutgoingMail, from: string) => ({
  messageId,
  from,
  // As objects, because a string could be parsed as several addresses.
  to: recipients.map((address) => ({ name: '', address })),
  ...(replyTo === null ? {} : { replyTo: { name: replyName ?? '', address: replyTo } }),
  subject,
  text: body,
  // Pictures in the HTML become parts of the mail: no mail program shows data URLs.
  ...(html === null ? {} : { html, attachDataUrls: true }),
  date: createdAt,
  // Suppresses automatic replies.
  headers: { 'Auto-Submitted': 'auto-generated' },
  disableFileAccess: true,
  disableUrlAccess: true,
})

interface Refusal {
  readonly responseCode?: number
  readonly response?: string
  readonly recipient?: string
  readonly command?: string
  readonly rejectedErrors?: readonly Refusal[]
}

/** A 5xx response is permanent, except for a wrong password: that is a configuration error, not a problem of the mail. */
const isPermanent = ({ responseCode = 0, command }: Refusal): boolean => responseCode >= 500 && !String(command).startsWith('AUTH')

const formatRefusal = ({ recipient, response }: Refusal): string => [recipient, response].filter(Boolean).join(': ')

const toSendResult = (accepted: readonly string[], refusals: readonly Refusal[]): SendResult => ({
  accepted,
  problem: refusals.length === 0 ? null : refusals.map(formatRefusal).join('; ').slice(0, MAX_PROBLEM_LENGTH),
  isPermanent: refusals.length > 0 && refusals.every(isPermanent),
})

/** A connection error has a code of nodemailer's; the system's code is in its message. */
const SYSTEM_CODE = /ECONN[A-Z]+|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH/
/** The reason a mail server cannot be used, for messages. */
export const getConnectionReason = (error: unknown): string => {
  const message = error instanceof Error ? error.message : String(error)
  const code = SYSTEM_CODE.exec(message)?.[0]
  return getErrorReason(code === undefined ? error : Object.assign(new Error(message), { code }))
}

/** The result of an attempt that failed as a whole. */
const toFailedResult = (error: unknown, accepted: readonly string[]): SendResult => {
  const refusal: Refusal = error instanceof Error ? (error as Refusal) : {}
  if (refusal.rejectedErrors?.length) return toSendResult(accepted, refusal.rejectedErrors)
  if (refusal.response) return toSendResult(accepted, [refusal])
  return {
    accepted,
    problem: `The mail server cannot be used: ${getConnectionReason(error)}`.slice(0, MAX_PROBLEM_LENGTH),
    isPermanent: false,
  }
}

/** Sends mails through the mail server of SMTP_URL. Timeouts and TLS options in the URL apply. */
const createSmtpTransport = (smtpUrl: string, from: string): MailTransport => {
  let transport: Transporter | undefined
  return {
    kind: 'mail',
    send: async (letter) => {
      const { default: nodemailer } = await import('nodemailer')
      transport ??= nodemailer.createTransport({
        url: smtpUrl,
        connectionTimeout: CONNECTING_MS,
        greetingTimeout: GREETING_MS,
        socketTimeout: SILENCE_MS,
      })
      const missing = letter.recipients.filter((address) => !letter.accepted.includes(address))
      try {
        const sent = await transport.sendMail({ ...toMessage(letter, from), envelope: { from, to: missing } })
        const refusals = (sent.rejectedErrors ?? []) as readonly Refusal[]
        const refused = new Set(refusals.map(({ recipient }) => recipient))
        return toSendResult([...letter.accepted, ...missing.filter((address) => !refused.has(address))], refusals)
      } catch (error) {
        return toFailedResult(error, letter.accepted)
      }
    },
  }
}

const alreadyExists = (error: unknown): boolean => getErrorCode(error) === 'EEXIST'

/** Writes mails as `.eml` files: completely or not at all, and never twice. */
const createFileTransport = (folder: string, from: string): MailTransport => ({
  kind: 'file',
  send: async (letter) => {
    const path = join(folder, `${letter._id}.eml`)
    const draft = `${path}.${randomUUID()}`
    try {
      const { default: nodemailer } = await import('nodemailer')
      const transport = nodemailer.createTransport({ streamTransport: true, buffer: true })
      const { message } = await transport.sendMail(toMessage(letter, from))
      await mkdir(folder, { recursive: true })
      const file = await open(draft, 'wx', 0o600)
      try {
        await file.writeFile(message as Buffer)
        await file.sync()
      } finally {
        await file.close()
      }
      await link(draft, path).catch((error: unknown) => (alreadyExists(error) ? undefined : Promise.reject(error)))
      await syncFolder(folder)
      return { accepted: letter.recipients, problem: null, isPermanent: false }
    } catch (error) {
      return { accepted: letter.accepted, problem: `It cannot be written to ${folder}: ${getErrorReason(error)}`, isPermanent: false }
    } finally {
      await rm(draft, { force: true }).catch(() => undefined)
    }
  },
})

/** How mails are sent: through SMTP_URL, or otherwise as files in the data folder. */
export const createMailTransport = ({ smtpUrl, mailFrom, dataDir }: Configuration): MailTransport =>
  smtpUrl === undefined ? createFileTransport(join(dataDir, 'mail'), mailFrom) : createSmtpTransport(smtpUrl, mailFrom)
