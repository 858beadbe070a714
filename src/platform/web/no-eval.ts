import { config } from 'zod'

// Our policy lets no page make code out of text. zod tries to, since compiled checks are faster; this setting turns it off.
config({ jitless: true })
