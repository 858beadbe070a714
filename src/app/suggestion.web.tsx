import { CommentsSection } from '../features/changing/comments/web/public/CommentsSection.tsx'
import { DecidePage } from '../features/changing/requests/web/DecidePage.tsx'
import { PersonPicker } from '../records/people/web/public/PersonPicker.tsx'
import { FieldEditor } from './field-editor.web.tsx'

/** `/requests/$id`, with the fields of every record kind, and comments. */
export const Decide = () => (
  <DecidePage
    FieldEditor={FieldEditor}
    renderComments={(_id) => <CommentsSection kind="proposal" _id={_id} PersonPicker={PersonPicker} />}
  />
)
