/** A whole document of another form than expected. Asked for again, it is the same. */
export class WrongShape extends SyntaxError {}
