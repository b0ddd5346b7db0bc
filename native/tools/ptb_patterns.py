"""The tokens of Stanford CoreNLP's PTBTokenizer 3.4.1, in the notation of `automata`."""

from typing import NamedTuple

# Automata are separate because most texts cannot match the last three, and one for all would need many more states.
AUTOMATA = ["Words", "Mail", "Web", "Markup"]


class Rule(NamedTuple):
    """A pattern, how its tokens are written, and how much of a match is the token (see `ptb_automata.hpp`)."""

    form: str
    cut: str
    automaton: str
    pattern: str


NAMES = {
    "apostrophe": r"['\u0092\u2019]|&apos;",
    "tick": r"<apostrophe>|[`\u0091\u2018\u201b]",
    "space": r"[ \t\u00a0\u2000-\u200a\u3000]",
    "gap": r"[ \t\u00a0\u2000-\u200a\u3000\n\v\f\r\u0085\u2028\u2029]|\r\n",
    "digit": r"[\d\u07c0-\u07c9]",
    "alnum": r"[\l\d]",
    "hyphen": r"[-_\u058a\u2010\u2011]",
    "comma": r"[,;:\u3001]",
    "slash": r"\\?/",
    # Letters of words: also combining marks, the soft hyphen, and entities of vowels with an accent.
    "letter": (
        r"&[aeiouAEIOU](acute|grave|uml);|[\l\u00ad\u0237-\u024f\u02c2-\u02c5\u02d2-\u02df\u02e5-\u037d\u0384\u0385\u03cf"
        r"\u03f6\u03fc-\u03ff\u0483-\u0487\u04cf\u04f6-\u04ff\u0510-\u0525\u055a-\u055f\u0591-\u05bd\u05bf\u05c1\u05c2"
        r"\u05c4\u05c5\u05c7\u0615-\u061a\u063b-\u063f\u064b-\u065e\u0670\u06d6-\u06ef\u06fa-\u06ff\u070f\u0711"
        r"\u0730-\u077f\u07a6-\u07b1\u07ca-\u07f5\u07fa\u0900-\u0903\u093c\u093e-\u094e\u0951-\u0955\u0962\u0963"
        r"\u0981-\u0983\u09bc-\u09c4\u09c7\u09c8\u09cb-\u09cd\u09d7\u09e2\u09e3\u0a01-\u0a03\u0a3c\u0a3e-\u0a4f"
        r"\u0a81-\u0a83\u0abc-\u0acf\u0b82\u0bbe-\u0bc2\u0bc6-\u0bc8\u0bca-\u0bcd\u0c01-\u0c03\u0c3e-\u0c56"
        r"\u0d3e-\u0d44\u0d46-\u0d48\u0e30-\u0e3a\u0e47-\u0e4e\u0eb1-\u0ebc\u0ec8-\u0ecd]"
    ),
    # Words
    "piece": r"<letter>(<letter>|<digit>)*",
    "word": r"<piece>([.!?]<piece>)*",
    "ending": r"<apostrophe>([dmsDMS]|ll|re|ve)",
    "negation": r"n<tick>t",
    "elided": r"([dloDLO]<tick><alnum>)?<alnum>+",
    "compound": r"<elided>(<hyphen><elided>)*",
    "ands": r"[A-Z]+((&amp;|[+&])[A-Z]+)+",
    "dashed": r"[A-Za-z0-9]+(-[A-Za-z]+){0,2}",
    "mixed": r"[A-Za-z0-9][A-Za-z0-9.,\u00ad]*(-([A-Za-z0-9\u00ad]+|<acronyms>.))+",
    # Abbreviations. Those with a capital in brackets are words in lower case.
    "relations": r"(canada|eu|japan|korean|non|sino)-u.s|u.s.-u.(k|s.s.r)",
    "acronym": r"[A-Za-z](.[A-Za-z])*|<relations>",
    "acronyms": r"[A-Za-z](.[A-Za-z])+|<relations>",
    "calendar": r"apr|aug|dec|feb|fri|jan|jul|jun|mar|mon|nov|oct|sept?|thu(rs)?|tues?|wed",
    "states": (
        r"[A](rk|z)|ala|ariz|calif|colo|conn|ct|dak|[D]el|fla|ga|[I]ll|ind|kans?|ky|[L]a|[M](ass|iss)|md|mich|minn|mo(nt)?"
        r"|neb|nev|okla|[O]re|[P]a|penn|tenn|[T]ex|va|vt|[W]ash|wisc?|wyo"
    ),
    "companies": r"assn|bancorp|bhd|corp|cos?|inc|intl|ltd|plc|pp?t[ey]s?|rt|sys|univ",
    "closing": r"(<calendar>|<states>|<companies>|al|bldg|blvd|bros|(ed|ph).d|esq|est|etc|ext|jr|rd|seq|sq|sr|tel).",
    "titles": (
        r"ad(j|m|v)|ass(oc|t)|attys?|ave|brig|capt|co?mdr|col|cpl|det|drs?|ens|ft|gen|govs?|hon|insp|lieut|lt|maj|messrs"
        r"|[M]iss|mlle|mme|mrs?|ms(gr)?|mt|pfc|pres|profs?|pvt|reps?|rev|sens?|sfc|sgt|spc|ste?|supts?"
    ),
    "opening": r"<titles>|<acronym>|a.k.a|alex|cf|cie|dept|elec|invt|jos|m[ft]g|natl|ph|treas|vs|wm",
    "numbering": r"(art|bldg|ca|figs?|nos?|op|pp|prop).",
    # A capitalized word that begins a sentence after an acronym.
    "starter": (
        r"[A](bout|ccording|dditionally|fter|n|s|t)?|[B]ut|[E]arlier|[H](e(re?)?|owever)|[I](f|n|t)|[L]ast|[M](any|ore|(r|s).)"
        r"|[N]ow|[O](nce|ne|ther|ur)|[S](he|ince|o|ome|uch)|[T](hat|he(ir|n|re|se|y)?|his)|[W](e|hat|hen|hile)|[Y](et|ou)"
    ),
    # Numbers
    "number": r"<digit>+|<digit>*([.,:\u00ad\u066b\u066c]<digit>+)+",
    "phone": (
        r"(\([0-9]{2,3}\)[ \u00a0]?|(\+\+?)?([0-9]{2,4}[- \u00a0])?[0-9]{2,4}[- \u00a0])[0-9]{3,4}[- \u00a0]?[0-9]{3,5}"
        r"|((\+\+?)?[0-9]{2,4}.)?[0-9]{2,4}.[0-9]{3,4}.[0-9]{3,5}"
    ),
    # Markup and addresses
    "tag name": r"[A-Za-z][-A-Za-z0-9_:.]*",
    "tag": r"""\<([!\?][-A-Za-z][^>\r\n]*|<tag name>( +<tag name>( *= *('[^']*'|"[^"]*"))?)* */?|/<tag name>) *>""",
    "path": r'(/[^ \t\n\f\r"\<>|()]+[^ \t\n\f\r"\<>|.!?(){},-])?',
}

# In order: among matches of the same length the first rule wins.
RULES = [
    Rule("Same", "Nothing", "Words", r"c\+\+"),
    Rule("Same", "Nothing", "Words", r"(c|f)#"),
    Rule("SplitThree", "Nothing", "Words", r"cannot|'twas"),
    Rule("SplitTwo", "Nothing", "Words", r"'tis|gimme|gonna|gotta|lemme|wanna"),
    Rule("NoBreak", "Nothing", "Markup", r"<tag>"),
    Rule("Dash", "Nothing", "Words", r"&(md|mdash|ndash);|[\u0096\u0097\u2013-\u2015]"),
    Rule("Ampersand", "Nothing", "Words", r"&amp;"),
    Rule("Same", "Nothing", "Words", r"&(ht|lr|q(c|l|r)|tl|ur|cdq|odq|#[0-9]+);"),
    Rule("NoSoftHyphen", "Apostrophe", "Words", r"<word><ending>"),
    Rule("NoSoftHyphen", "Negation", "Words", r"[A-Za-z\u00ad]*[A-MO-Za-mo-z]\u00ad*<negation>"),
    Rule("NoSoftHyphen", "Nothing", "Words", r"<word>"),
    Rule(
        "Same",
        "Nothing",
        "Words",
        r"<apostrophe>(n<apostrophe>?|em|[2-9]0s|till?|cause)|([dDjJlL]|dunkin|somethin|ol)<apostrophe>"
        r"|[A-HJ-XZn]<tick>\l\l+"
        r"|\l+[aeiouyAEIOUY]<tick>[aeiouA-Z]\l*|cont'd.?|'twas|nor'easter|c'mon|e'er|s'mores|ev'ry|li'l|nat'l"
        r"|o<tick>o",
    ),
    Rule("Same", "One", "Words", r"y<apostrophe>\l"),
    Rule("Same", "Nothing", "Web", r'https?://[^ \t\n\f\r"\<>|(){}]+[^ \t\n\f\r"\<>|.!?(){},-]'),
    Rule(
        "Same",
        "Nothing",
        "Web",
        r"""(www.([^ \t\n\f\r"\<>|.!?(){},]+.)+[a-zA-Z]{2,4}|([^ \t\n\f\r"`'\<>|!?(){},-_$]+.)+(com|edu|net"""
        r"|org))<path>",
    ),
    Rule(
        "Same",
        "Nothing",
        "Mail",
        r'(&lt;|\<)?[a-zA-Z0-9][^ \t\n\f\r"\<>|()\u00a0{}]*@([^ \t\n\f\r"\<>|(){}.\u00a0]+.)*[^ \t\n\f\r"\<>'
        r"|(){}.\u00a0]+(&gt;|>)?",
    ),
    Rule("Same", "Nothing", "Words", r"@[a-zA-Z_][a-zA-Z_0-9]*|#<letter>+"),
    Rule("Quote", "One", "Words", r"(<ending>|<negation>)[^A-Za-z]"),
    Rule("Same", "Nothing", "Words", r"<digit>{1,2}[-/]<digit>{1,2}[-/]<digit>{2,4}"),
    Rule("NoSoftHyphen", "Nothing", "Words", r"[-+]?(<number>)"),
    Rule(
        "Same",
        "Nothing",
        "Words",
        r"[\u207a\u207b\u208a\u208b]?([\u00b2\u00b3\u00b9\u2070\u2074-\u2079]+|[\u2080-\u2089]+)",
    ),
    Rule("NoBreak", "Nothing", "Words", r"(<digit>{1,4}[- \u00a0])?<digit>{1,4}(<slash>|\u2044)<digit>{1,4}"),
    Rule("Fraction", "Nothing", "Words", r"[\u00bc-\u00be\u2153-\u215e]"),
    Rule(
        "Ampersand",
        "Nothing",
        "Words",
        r"-(l|r)(c|r|s)b-|c.d.s|pro-|anti-|s(&amp;|&)(p-500|ls)|cap<apostrophe>n|c<apostrophe>est",
    ),
    Rule("Same", "Nothing", "Words", r"<dashed>(<slash><dashed>){1,2}"),
    Rule("Same", "Nothing", "Words", r"[A-Z]*$|#"),
    Rule(
        "Currency", "Nothing", "Words", r"[\u0080\u00a2-\u00a5\u060b\u0e3f\u20a0\u20a4\u20ac\uffe0\uffe1\uffe5\uffe6]"
    ),
    Rule("AcronymEnd", "Gap", "Words", r"(<acronym>).<gap>+<starter><gap>"),
    Rule("AcronymEnd", "Gap", "Markup", r"(<acronym>).<gap>+<tag><gap>"),
    Rule("Same", "Period", "Words", r"<numbering>(<gap>)?\d"),
    Rule("Same", "Four", "Words", r"(pt[eyEY]|co).<space>(ltd|lim)"),
    Rule("SentenceEnd", "Gap", "Words", r"<closing><gap>(<gap>|\p)"),
    Rule("SentenceEnd", "Gap", "Markup", r"<closing><gap><tag>"),
    Rule("Same", "Two", "Words", r"<closing>[^][^]"),
    Rule("SentenceEnd", "Nothing", "Words", r"<closing>"),
    Rule("Same", "Nothing", "Words", r"(<opening>)."),
    Rule("Same", "One", "Words", r"(<opening>)<space>"),
    Rule("Same", "LastBreak", "Words", r"(<acronym>|<apostrophe>[0-9][0-9])<gap>"),
    Rule(
        "Same",
        "LastBreak",
        "Words",
        r"(<letter>|<digit>)+(.(<letter>|<digit>)+)*.(bat|bmp|c|cgi|class|cpp|dll|docx?|exe|gif|gz|h|html?"
        r"|jar|java|jpe?g|mov|mp3|pdf|php"
        r"|pl|png|ppt|ps|py|sql|tar|txt|wav|x|xml|zip)(<gap>|[.?!,])",
    ),
    Rule("NoSoftHyphen", "One", "Words", r"<word>.<comma>"),
    Rule("Phone", "Nothing", "Words", r"<phone>"),
    Rule("OpenQuote", "One", "Words", r'("|&quot;)[A-Za-z0-9$]'),
    Rule("Quote", "Nothing", "Words", r'"|&quot;'),
    Rule("Skip", "Nothing", "Words", r"\u007f"),
    Rule("Less", "Nothing", "Words", r"\<|&lt;"),
    Rule("Greater", "Nothing", "Words", r">|&gt;"),
    Rule("Parentheses", "One", "Words", r"[<>]?[:;=][-o*']?[()DPdpO\\{@|\[\]][^A-Za-z0-9]"),
    Rule(
        "Parentheses",
        "Nothing",
        "Words",
        r"[-^x=~<>']_[-^x=~<>']|\([-^x=~<>'][_.]?[-^x=~<>']\)|\([\^x=~<>']-[\^x=~<>'`]\)",
    ),
    Rule("Parentheses", "Nothing", "Markup", r"[\^x=~<>].\[^x=[^<]*\<>]"),
    Rule("LeftBrace", "Nothing", "Words", r"\{"),
    Rule("RightBrace", "Nothing", "Words", r"}"),
    Rule("LeftBracket", "Nothing", "Words", r"\["),
    Rule("RightBracket", "Nothing", "Words", r"]"),
    Rule("LeftParenthesis", "Nothing", "Words", r"\("),
    Rule("RightParenthesis", "Nothing", "Words", r"\)"),
    Rule("Dashes", "Nothing", "Words", r"-+"),
    Rule("Ellipsis", "Nothing", "Words", r".{3,5}|(.[ \u00a0]){2,4}.|[\u0085\u2026]"),
    Rule(
        "Same",
        "Nothing",
        "Words",
        r"@+|#+|_+|\*+|(\\\*){1,3}|<comma>|[?!]+"
        r"|[.=/\u00a1\u00bf\u037e\u0589\u061f\u06d4\u0700-\u0702\u07fa\u3002]",
    ),
    Rule("NoSoftHyphen", "One", "Words", r"<mixed>.<comma>"),
    Rule("NoSoftHyphen", "Nothing", "Words", r"<mixed>"),
    Rule("Same", "One", "Words", r"<compound>.<comma>"),
    Rule("Same", "Nothing", "Words", r"<compound>"),
    Rule("Ampersand", "One", "Words", r"<ands>.<comma>"),
    Rule("Ampersand", "Nothing", "Words", r"<ands>"),
    Rule("OpenQuote", "First", "Words", r"'[A-Za-z][^ \t\n\r\u00a0]"),
    Rule(
        "Quote",
        "Nothing",
        "Words",
        r"<ending>|<negation>|<apostrophe>|''|[`\u0091-\u0094\u00ab\u00bb\u2018-\u201f\u2039\u203a]{1,2}",
    ),
    Rule("Same", "Nothing", "Words", r"\<\<|>>"),
    Rule(
        "Same",
        "Nothing",
        "Words",
        r"[+%&~\^|\\\u00a6-\u00a9\u00ac\u00ae-\u00ba\u00d7\u00f7\u0387\u05be\u05c0\u05c3\u05c6\u05f3\u05f4\u06"
        r"00-\u0603\u0606-\u060a\u060c"
        r"\u0614\u061b\u061e\u066a\u066d\u0703-\u070d\u07f6-\u07f8\u0964\u0965\u0e4f\u1fbd\u2016\u2017\u2020-"
        r"\u2023\u2030-\u2038\u203b"
        r"\u203e-\u2042\u2044\u207a-\u207f\u208a-\u208e\u2100-\u214f\u2190-\u2bff\u3012\u30fb\uff01-\uff0f\uff"
        r"1a-\uff20\uff3b-\uff40\uff5b-\uff65]",
    ),
    Rule("Skip", "Nothing", "Words", r"[^]|<space>+|\r\n|&nbsp;"),
]
