// Asks who is signed in before the rest of the program runs, which takes longer on a cheap phone than the answer: every page waits for both.
import { guardRestoredPage, loadSession } from './session.ts'
import { handleSignInReturn } from './sign-in-return.ts'

handleSignInReturn()
guardRestoredPage()
void loadSession()
