import { SMTPServer, type SMTPServerAddress, type SMTPServerSession } from 'smtp-server'

import { getFreePort } from './free-port.ts'

/** A mail as the server received it. */
export interface ReceivedMail {
  readonly messageId: string
  readonly from: string
  readonly to: readonly string[]
  /** Headers and body, unmodified. */
  readonly text: string
}

/** The behavior of the server, which may be changed while it runs. */
export interface MailServerBehavior {
  /** Answers a recipient with this instead of 250. */
  rejectRecipient?: ((address: string) => { code: number; text: string } | undefined) | undefined
  /** The accepted passwords; without them, no authentication is required. */
  passwords?: readonly string[]
  /** Accepts connections and never answers. */
  hangs?: boolean
  /** Accepts the mail but closes the connection before confirming it, this many times. */
  disconnectsAfterData?: number
}

export interface MailServer extends AsyncDisposable {
  readonly url: string
  readonly behavior: MailServerBehavior
  /** Every accepted mail, including repeats. */
  readonly received: ReceivedMail[]
  /** Waits until this many mails have arrived. */
  readonly waitForMails: (mails: number) => Promise<void>
  readonly stop: () => Promise<void>
}

const refusal = ({ code, text }: { code: number; text: string }): Error => Object.assign(new Error(text), { responseCode: code })

/** A mail server on loopback. */
export const startMailServer = async (behavior: MailServerBehavior = {}, port?: number): Promise<MailServer> => {
  const received: ReceivedMail[] = []
  const server = new SMTPServer({
    disabledCommands: behavior.passwords ? ['STARTTLS'] : ['AUTH', 'STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) => {
      if (behavior.passwords?.includes(password ?? '')) done(null, { user: username ?? '' })
      else done(refusal({ code: 535, text: 'Authentication failed' }))
    },
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 200,
    onConnect: (_session, done) => {
      if (!behavior.hangs) done()
    },
    onRcptTo: (address: SMTPServerAddress, _session, done) => {
      const refused = behavior.rejectRecipient?.(address.address)
      done(refused ? refusal(refused) : null)
    },
    onData: (stream, session: SMTPServerSession, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          messageId: /^Message-ID: (\S+)/im.exec(text)?.[1] ?? '',
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          text,
        })
        if (!behavior.disconnectsAfterData) return done()
        behavior.disconnectsAfterData -= 1
        for (const connection of server.connections) (connection as unknown as { _socket: { destroy: () => void } })._socket.destroy()
      })
    },
  })
  server.on('error', () => {}) // broken connections are expected in some tests
  const at = port ?? (await getFreePort())
  await new Promise<void>((resolve) => {
    server.listen(at, '127.0.0.1', resolve)
  })
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
    })
  return {
    url: `smtp://127.0.0.1:${at}`,
    behavior,
    received,
    waitForMails: async (mails) => {
      const until = Date.now() + 20_000
      while (received.length < mails) {
        if (Date.now() > until) throw new Error(`${received.length} of ${mails} mails have come`)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
    stop,
    [Symbol.asyncDispose]: stop,
  }
}
