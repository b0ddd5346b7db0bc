#include "refscore/text/ptb_patterns.hpp"

namespace refscore::ptb {
namespace {

#include "refscore/generated/ptb_alphabet.inc"

// Characters
constexpr NamedPattern kNameList[] = {
    {"apostrophe", R"(['\u0092\u2019]|&apos;)"},
    {"tick", R"(<apostrophe>|[`\u0091\u2018\u201b])"},
    {"space", R"([ \t\u00a0\u2000-\u200a\u3000])"},
    {"gap", R"([ \t\u00a0\u2000-\u200a\u3000\n\v\f\r\u0085\u2028\u2029]|\r\n)"},
    {"digit", R"([\d\u07c0-\u07c9])"},
    {"alnum", R"([\l\d])"},
    {"hyphen", R"([-_\u058a\u2010\u2011])"},
    {"comma", R"([,;:\u3001])"},
    {"slash", R"(\\?/)"},
    // Letters of words: also combining marks, the soft hyphen, and entities of vowels with an accent.
    {"letter",
     R"(&[aeiouAEIOU](acute|grave|uml);|[\l\u00ad\u0237-\u024f\u02c2-\u02c5\u02d2-\u02df\u02e5-\u037d\u0384\u0385\u03cf)"
     R"(\u03f6\u03fc-\u03ff\u0483-\u0487\u04cf\u04f6-\u04ff\u0510-\u0525\u055a-\u055f\u0591-\u05bd\u05bf\u05c1\u05c2)"
     R"(\u05c4\u05c5\u05c7\u0615-\u061a\u063b-\u063f\u064b-\u065e\u0670\u06d6-\u06ef\u06fa-\u06ff\u070f\u0711)"
     R"(\u0730-\u077f\u07a6-\u07b1\u07ca-\u07f5\u07fa\u0900-\u0903\u093c\u093e-\u094e\u0951-\u0955\u0962\u0963)"
     R"(\u0981-\u0983\u09bc-\u09c4\u09c7\u09c8\u09cb-\u09cd\u09d7\u09e2\u09e3\u0a01-\u0a03\u0a3c\u0a3e-\u0a4f)"
     R"(\u0a81-\u0a83\u0abc-\u0acf\u0b82\u0bbe-\u0bc2\u0bc6-\u0bc8\u0bca-\u0bcd\u0c01-\u0c03\u0c3e-\u0c56)"
     R"(\u0d3e-\u0d44\u0d46-\u0d48\u0e30-\u0e3a\u0e47-\u0e4e\u0eb1-\u0ebc\u0ec8-\u0ecd])"},
    // Words
    {"piece", R"(<letter>(<letter>|<digit>)*)"},
    {"word", R"(<piece>([.!?]<piece>)*)"},
    {"ending", R"(<apostrophe>([dmsDMS]|ll|re|ve))"},
    {"negation", R"(n<tick>t)"},
    {"elided", R"(([dloDLO]<tick><alnum>)?<alnum>+)"},
    {"compound", R"(<elided>(<hyphen><elided>)*)"},
    {"ands", R"([A-Z]+((&amp;|[+&])[A-Z]+)+)"},
    {"dashed", R"([A-Za-z0-9]+(-[A-Za-z]+){0,2})"},
    {"mixed", R"([A-Za-z0-9][A-Za-z0-9.,\u00ad]*(-([A-Za-z0-9\u00ad]+|<acronyms>.))+)"},
    // Abbreviations. Those with a capital in brackets are words in lower case.
    {"relations", R"((canada|eu|japan|korean|non|sino)-u.s|u.s.-u.(k|s.s.r))"},
    {"acronym", R"([A-Za-z](.[A-Za-z])*|<relations>)"},
    {"acronyms", R"([A-Za-z](.[A-Za-z])+|<relations>)"},
    {"calendar", R"(apr|aug|dec|feb|fri|jan|jul|jun|mar|mon|nov|oct|sept?|thu(rs)?|tues?|wed)"},
    {"states",
     R"([A](rk|z)|ala|ariz|calif|colo|conn|ct|dak|[D]el|fla|ga|[I]ll|ind|kans?|ky|[L]a|[M](ass|iss)|md|mich|minn|mo(nt)?)"
     R"(|neb|nev|okla|[O]re|[P]a|penn|tenn|[T]ex|va|vt|[W]ash|wisc?|wyo)"},
    {"companies", R"(assn|bancorp|bhd|corp|cos?|inc|intl|ltd|plc|pp?t[ey]s?|rt|sys|univ)"},
    {"closing",
     R"((<calendar>|<states>|<companies>|al|bldg|blvd|bros|(ed|ph).d|esq|est|etc|ext|jr|rd|seq|sq|sr|tel).)"},
    {"titles",
     R"(ad(j|m|v)|ass(oc|t)|attys?|ave|brig|capt|co?mdr|col|cpl|det|drs?|ens|ft|gen|govs?|hon|insp|lieut|lt|maj|messrs)"
     R"(|[M]iss|mlle|mme|mrs?|ms(gr)?|mt|pfc|pres|profs?|pvt|reps?|rev|sens?|sfc|sgt|spc|ste?|supts?)"},
    {"opening", R"(<titles>|<acronym>|a.k.a|alex|cf|cie|dept|elec|invt|jos|m[ft]g|natl|ph|treas|vs|wm)"},
    {"numbering", R"((art|bldg|ca|figs?|nos?|op|pp|prop).)"},
    // A capitalized word that begins a sentence after an acronym.
    {"starter",
     R"([A](bout|ccording|dditionally|fter|n|s|t)?|[B]ut|[E]arlier|[H](e(re?)?|owever)|[I](f|n|t)|[L]ast|[M](any|ore|(r|s).))"
     R"(|[N]ow|[O](nce|ne|ther|ur)|[S](he|ince|o|ome|uch)|[T](hat|he(ir|n|re|se|y)?|his)|[W](e|hat|hen|hile)|[Y](et|ou))"},
    // Numbers
    {"number", R"(<digit>+|<digit>*([.,:\u00ad\u066b\u066c]<digit>+)+)"},
    {"phone",
     R"((\([0-9]{2,3}\)[ \u00a0]?|(\+\+?)?([0-9]{2,4}[- \u00a0])?[0-9]{2,4}[- \u00a0])[0-9]{3,4}[- \u00a0]?[0-9]{3,5})"
     R"(|((\+\+?)?[0-9]{2,4}.)?[0-9]{2,4}.[0-9]{3,4}.[0-9]{3,5})"},
    // Markup and addresses
    {"tag name", R"([A-Za-z][-A-Za-z0-9_:.]*)"},
    {"tag", R"(\<([!\?][-A-Za-z][^>\r\n]*|<tag name>( +<tag name>( *= *('[^']*'|"[^"]*"))?)* */?|/<tag name>) *>)"},
    {"path", R"((/[^ \t\n\f\r"\<>|()]+[^ \t\n\f\r"\<>|.!?(){},-])?)"},
};

constexpr Rule kRuleList[] = {
    {Form::Same, Cut::Nothing, kWords, R"(c\+\+)"},
    {Form::Same, Cut::Nothing, kWords, R"((c|f)#)"},
    {Form::SplitThree, Cut::Nothing, kWords, R"(cannot|'twas)"},
    {Form::SplitTwo, Cut::Nothing, kWords, R"('tis|gimme|gonna|gotta|lemme|wanna)"},
    {Form::NoBreak, Cut::Nothing, kMarkup, R"(<tag>)"},
    {Form::Dash, Cut::Nothing, kWords, R"(&(md|mdash|ndash);|[\u0096\u0097\u2013-\u2015])"},
    {Form::Ampersand, Cut::Nothing, kWords, R"(&amp;)"},
    {Form::Same, Cut::Nothing, kWords, R"(&(ht|lr|q(c|l|r)|tl|ur|cdq|odq|#[0-9]+);)"},
    {Form::NoSoftHyphen, Cut::Apostrophe, kWords, R"(<word><ending>)"},
    {Form::NoSoftHyphen, Cut::Negation, kWords, R"([A-Za-z\u00ad]*[A-MO-Za-mo-z]\u00ad*<negation>)"},
    {Form::NoSoftHyphen, Cut::Nothing, kWords, R"(<word>)"},
    {Form::Same, Cut::Nothing, kWords,
     R"(<apostrophe>(n<apostrophe>?|em|[2-9]0s|till?|cause)|([dDjJlL]|dunkin|somethin|ol)<apostrophe>|[A-HJ-XZn]<tick>\l\l+)"
     R"(|\l+[aeiouyAEIOUY]<tick>[aeiouA-Z]\l*|cont'd.?|'twas|nor'easter|c'mon|e'er|s'mores|ev'ry|li'l|nat'l|o<tick>o)"},
    {Form::Same, Cut::One, kWords, R"(y<apostrophe>\l)"},
    {Form::Same, Cut::Nothing, kWeb, R"(https?://[^ \t\n\f\r"\<>|(){}]+[^ \t\n\f\r"\<>|.!?(){},-])"},
    {Form::Same, Cut::Nothing, kWeb,
     R"((www.([^ \t\n\f\r"\<>|.!?(){},]+.)+[a-zA-Z]{2,4}|([^ \t\n\f\r"`'\<>|!?(){},-_$]+.)+(com|edu|net|org))<path>)"},
    {Form::Same, Cut::Nothing, kMail,
     R"((&lt;|\<)?[a-zA-Z0-9][^ \t\n\f\r"\<>|()\u00a0{}]*@([^ \t\n\f\r"\<>|(){}.\u00a0]+.)*[^ \t\n\f\r"\<>|(){}.\u00a0]+(&gt;|>)?)"},
    {Form::Same, Cut::Nothing, kWords, R"(@[a-zA-Z_][a-zA-Z_0-9]*|#<letter>+)"},
    {Form::Quote, Cut::One, kWords, R"((<ending>|<negation>)[^A-Za-z])"},
    {Form::Same, Cut::Nothing, kWords, R"(<digit>{1,2}[-/]<digit>{1,2}[-/]<digit>{2,4})"},
    {Form::NoSoftHyphen, Cut::Nothing, kWords, R"([-+]?(<number>))"},
    {Form::Same, Cut::Nothing, kWords,
     R"([\u207a\u207b\u208a\u208b]?([\u00b2\u00b3\u00b9\u2070\u2074-\u2079]+|[\u2080-\u2089]+))"},
    {Form::NoBreak, Cut::Nothing, kWords, R"((<digit>{1,4}[- \u00a0])?<digit>{1,4}(<slash>|\u2044)<digit>{1,4})"},
    {Form::Fraction, Cut::Nothing, kWords, R"([\u00bc-\u00be\u2153-\u215e])"},
    {Form::Ampersand, Cut::Nothing, kWords,
     R"(-(l|r)(c|r|s)b-|c.d.s|pro-|anti-|s(&amp;|&)(p-500|ls)|cap<apostrophe>n|c<apostrophe>est)"},
    {Form::Same, Cut::Nothing, kWords, R"(<dashed>(<slash><dashed>){1,2})"},
    {Form::Same, Cut::Nothing, kWords, R"([A-Z]*$|#)"},
    {Form::Currency, Cut::Nothing, kWords,
     R"([\u0080\u00a2-\u00a5\u060b\u0e3f\u20a0\u20a4\u20ac\uffe0\uffe1\uffe5\uffe6])"},
    {Form::AcronymEnd, Cut::Gap, kWords, R"((<acronym>).<gap>+<starter><gap>)"},
    {Form::AcronymEnd, Cut::Gap, kMarkup, R"((<acronym>).<gap>+<tag><gap>)"},
    {Form::Same, Cut::Period, kWords, R"(<numbering>(<gap>)?\d)"},
    {Form::Same, Cut::Four, kWords, R"((pt[eyEY]|co).<space>(ltd|lim))"},
    {Form::SentenceEnd, Cut::Gap, kWords, R"(<closing><gap>(<gap>|\p))"},
    {Form::SentenceEnd, Cut::Gap, kMarkup, R"(<closing><gap><tag>)"},
    {Form::Same, Cut::Two, kWords, R"(<closing>[^][^])"},
    {Form::SentenceEnd, Cut::Nothing, kWords, R"(<closing>)"},
    {Form::Same, Cut::Nothing, kWords, R"((<opening>).)"},
    {Form::Same, Cut::One, kWords, R"((<opening>)<space>)"},
    {Form::Same, Cut::LastBreak, kWords, R"((<acronym>|<apostrophe>[0-9][0-9])<gap>)"},
    {Form::Same, Cut::LastBreak, kWords,
     R"((<letter>|<digit>)+(.(<letter>|<digit>)+)*.(bat|bmp|c|cgi|class|cpp|dll|docx?|exe|gif|gz|h|html?|jar|java|jpe?g|mov|mp3|pdf|php)"
     R"(|pl|png|ppt|ps|py|sql|tar|txt|wav|x|xml|zip)(<gap>|[.?!,]))"},
    {Form::NoSoftHyphen, Cut::One, kWords, R"(<word>.<comma>)"},
    {Form::Phone, Cut::Nothing, kWords, R"(<phone>)"},
    {Form::OpenQuote, Cut::One, kWords, R"(("|&quot;)[A-Za-z0-9$])"},
    {Form::Quote, Cut::Nothing, kWords, R"("|&quot;)"},
    {Form::Skip, Cut::Nothing, kWords, R"(\u007f)"},
    {Form::Less, Cut::Nothing, kWords, R"(\<|&lt;)"},
    {Form::Greater, Cut::Nothing, kWords, R"(>|&gt;)"},
    {Form::Parentheses, Cut::One, kWords, R"([<>]?[:;=][-o*']?[()DPdpO\\{@|\[\]][^A-Za-z0-9])"},
    {Form::Parentheses, Cut::Nothing, kWords,
     R"([-^x=~<>']_[-^x=~<>']|\([-^x=~<>'][_.]?[-^x=~<>']\)|\([\^x=~<>']-[\^x=~<>'`]\))"},
    {Form::Parentheses, Cut::Nothing, kMarkup, R"([\^x=~<>].\[^x=[^<]*\<>])"},
    {Form::LeftBrace, Cut::Nothing, kWords, R"(\{)"},
    {Form::RightBrace, Cut::Nothing, kWords, R"(})"},
    {Form::LeftBracket, Cut::Nothing, kWords, R"(\[)"},
    {Form::RightBracket, Cut::Nothing, kWords, R"(])"},
    {Form::LeftParenthesis, Cut::Nothing, kWords, R"(\()"},
    {Form::RightParenthesis, Cut::Nothing, kWords, R"(\))"},
    {Form::Dashes, Cut::Nothing, kWords, R"(-+)"},
    {Form::Ellipsis, Cut::Nothing, kWords, R"(.{3,5}|(.[ \u00a0]){2,4}.|[\u0085\u2026])"},
    {Form::Same, Cut::Nothing, kWords,
     R"(@+|#+|_+|\*+|(\\\*){1,3}|<comma>|[?!]+|[.=/\u00a1\u00bf\u037e\u0589\u061f\u06d4\u0700-\u0702\u07fa\u3002])"},
    {Form::NoSoftHyphen, Cut::One, kWords, R"(<mixed>.<comma>)"},
    {Form::NoSoftHyphen, Cut::Nothing, kWords, R"(<mixed>)"},
    {Form::Same, Cut::One, kWords, R"(<compound>.<comma>)"},
    {Form::Same, Cut::Nothing, kWords, R"(<compound>)"},
    {Form::Ampersand, Cut::One, kWords, R"(<ands>.<comma>)"},
    {Form::Ampersand, Cut::Nothing, kWords, R"(<ands>)"},
    {Form::OpenQuote, Cut::First, kWords, R"('[A-Za-z][^ \t\n\r\u00a0])"},
    {Form::Quote, Cut::Nothing, kWords,
     R"(<ending>|<negation>|<apostrophe>|''|[`\u0091-\u0094\u00ab\u00bb\u2018-\u201f\u2039\u203a]{1,2})"},
    {Form::Same, Cut::Nothing, kWords, R"(\<\<|>>)"},
    {Form::Same, Cut::Nothing, kWords,
     R"([+%&~\^|\\\u00a6-\u00a9\u00ac\u00ae-\u00ba\u00d7\u00f7\u0387\u05be\u05c0\u05c3\u05c6\u05f3\u05f4\u0600-\u0603\u0606-\u060a\u060c)"
     R"(\u0614\u061b\u061e\u066a\u066d\u0703-\u070d\u07f6-\u07f8\u0964\u0965\u0e4f\u1fbd\u2016\u2017\u2020-\u2023\u2030-\u2038\u203b)"
     R"(\u203e-\u2042\u2044\u207a-\u207f\u208a-\u208e\u2100-\u214f\u2190-\u2bff\u3012\u30fb\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65])"},
    {Form::Skip, Cut::Nothing, kWords, R"([^]|<space>+|\r\n|&nbsp;)"},
};

}  // namespace

const std::span<const Rule> kRules = kRuleList;
const std::span<const NamedPattern> kNames = kNameList;
const Alphabet kAlphabet{kLetters, kDigits, kCapitals};

}  // namespace refscore::ptb
