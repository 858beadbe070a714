import { config } from 'zod'

// Our policy lets no page make code out of text. zod would try, with every check somewhat faster where it may; told not to, it does not.
config({ jitless: true })
