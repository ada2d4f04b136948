"""Words that a question is asked with, not about, by language: folded, as ``fold_word`` gives them.

The lists serve two ends: a query leaves them out, and a text is recognised by them.
"""

from __future__ import annotations

from typing import Final

_LATIN: Final = {
    "en": """a about again also am an and another any anybody anyone are aren as at be because been being both but by
        can cannot could couldn did didn do does doesn doing don done else ever explain for from give gives had happen
        happens has hasn have haven having he help her here him his how i if in into is isn it its itself just know
        let like made make makes may me mean means might mine must my myself need needs of on or other our own please
        possible shall she should show so some someone something such tell than that the their them then there these
        they thing things this those to too trying us very want wants was way ways we were what whats when where
        whether which while who whom whose why will with won work works would wouldn yes yet you your""",
    "de": """aber alle als also am an auch auf aus bei bin bis bitte da damit dann das dass dazu dein dem den denn der
        des die dies diese diesem diesen dieser dieses doch du durch ein eine einem einen einer eines er es etwas fur
        gegen gibt haben hat hatte hier ich ihr ihre im in ist ja jede jeder kann kannst kein keine konnen man mehr
        mein mit muss nach nicht noch nur ob oder ohne sehr sein seine seit sich sie sind so soll sollte sondern uber
        um und uns unter vom von vor wann warum was weil welche welcher welches wenn wer werden wie wieso wir wird wo
        wofur worden wurde zu zum zur zwischen""",
    "fr": """a afin ai alors apres au aucun aussi autre aux avant avec avoir c ca car ce ceci cela ces cet cette ceux
        chaque chez comme comment d dans de depuis des donc dont du elle elles en encore entre est et etait ete etre
        eux faire fait faut il ils je l la le les leur leurs lors lorsque lui ma mais me meme mes moi mon n ne non nos
        notre nous on ont ou par pas peut plus pour pourquoi puis qu quand que quel quelle quelles quels qui quoi s sa
        sans se selon ses si soit son sont sous sur ta te tes toi ton tous tout toute toutes tu un une vers via vos
        votre vous y""",
    "es": """a al algo algun alguna antes aqui asi aun aunque cada como con contra cual cuales cuando cuanto cuantos
        de del desde despues donde durante e el ella ellas ellos en entre era eran es esa ese eso esta estan estas
        este esto estos fue fueron ha hace hacer hacia han hasta hay la las le les lo los mas me mediante mi mientras
        muy ni no nos o otra otro para pero por porque puede pueden puedo que quien quienes se segun ser si sin sino
        sobre son su sus tambien te tiene tienen todo todos tu u un una unas uno unos y ya yo""",
    "it": """a ad agli ai al alla alle allo anche ancora avere c che chi ci ciascuno come con contro cosa cui d da
        dagli dai dal dalla dalle degli dei del della delle dello di do dopo dove e ed era essere fa fare fra gli ha
        hanno i il in io l la le lei lo loro lui ma mentre mi mio ne negli nei nel nella nelle nello noi non nostro o
        ogni oppure per perche piu poi posso possono prima puo qual quale quali quando quanti quanto quello questa
        queste questi questo qui se senza si sia sono sta stato su sua sue sugli sui sul sulla sulle suo tra tu tutti
        tutto un una uno verso viene voi""",
    "pt": """a ainda ao aos apos as ate cada com como contra da das de dela dele depois desde do dos e ela elas ele
        eles em entre era essa esse esta estao estar este eu fazer foi foram ha isso isto ja la lhe mais mas me mesmo
        meu muito na nao nas nem no nos nossa nosso num numa o onde os ou para pela pelas pelo pelos pode podem por
        porque posso pra quais qual quando quanto quantos que quem sao se seja sem ser seu seus so sobre sua suas
        tambem tem tinha todos um uma umas uns voce""",
    "nl": """aan al alle als altijd andere ben bij dan dat de den der deze die dit doen door dus een eens elke en er
        ge geen haar had heb hebben heeft heel hem het hier hij hoe hun iets ik in is ja je kan kun kunnen maar me
        meer men met mij mijn moet na naar niet nog nu of om omdat onder ons ook op over te tegen toch toen tot tussen
        u uit uw van vanaf veel via voor waar waarom wanneer want waren was wat wel welke werd wie wij wil worden
        wordt zal ze zich zij zijn zo zonder zou""",
    "sv": """alla allt andra att av blev bli blir dar de dem den denna deras dess det detta dig din ditt du efter
        eller en ett for fore fran ha hade han hans har henne hon hur i icke inga ingen inom inte jag kan kunde man
        med mellan men mig min mot mycket nagon nagot nar ni nu och om oss pa sa sadan sig sin sina sitt ska skulle
        som till under upp ut utan vad var vara varfor varje vars vart vem vi vid vilka vilken vilket""",
    "da": """af alle alt andre at blev blive bliver da de dem den denne der deres det dette dig din disse du efter
        eller en end er et for fra ham han hans har havde have hende her hos hun hvad hvem hver hvilken hvilket hvis
        hvor hvordan hvorfor hvornar i ikke ind jeg jer kan kunne man mange med meget mellem men mig min mod nar ned
        nogen noget nogle nu og ogsa om op os over pa sa sadan samt selv sig sin skal skulle som til ud uden under var
        ved vi vil ville vor""",
    "no": """alle andre at av ble bli blir da de deg dem den denne der deres det dette din disse du eller en enn er et
        etter for fordi fra ha hadde han har hennes her hun hva hvem hver hvilke hvilken hvis hvor hvordan hvorfor i
        ikke inn ja jeg kan kunne man mange med meg mellom men min mot mye na nar ned noe noen og ogsa om opp oss over
        pa sa seg selv sin skal skulle slik som til under ut uten var vare ved vi vil ville""",
    "fi": """ei eivat ennen eri etta han he hyvin ilman itse ja jalkeen johon joita joka joko jolla jonka jos jossa
        josta jota jotka jotta kaikki kaikkien kanssa kautta keskella koska kuin kuinka kuitenkin kuka kun kuten lahes
        mihin mika mikali miksi millainen milloin mina minka missa mista mita miten molemmat mukaan mutta muut myos ne
        niiden niin nyt ole olen oli olla oma on ovat pois sama se sen siina sina sita sitten taas tai tama tassa tata
        te vaan vai vain voi voit vuoksi yli""",
    "pl": """aby albo ale ani bez bo by byc byl byla bylo co czy dla do gdy gdzie go i ich ile im inne ja jak jaka
        jaki jakie jako je jego jej jesli jest jestem juz kazdy kiedy kto ktora ktore ktory ktorych lub ma mamy mi
        moge moze mozna na nad nie niz o od oraz po pod podczas poprzez przed przez przy sa sie skad swoje ta tak
        takie tam te tego tej ten to tu tylko w we wiec wszystkie wszystko z za ze""",
    "cs": """a aby ale ani asi az bez bude by byl byla bylo byt co coz do i jak jake jako jaky je jeho jej jeji jejich
        jen jenz jeste ji jsem jsi jsme jsou k kam kazdy kde kdo kdy kdyz ke ktera ktere ktery kterych ma mezi mi mit
        muze na nad nam nebo nej neni nez nic o od po pod podle pokud pouze pred pres pri pro proc proto protoze s se
        si so sve svuj ta tak take tam te tedy ten tento teto to tohoto tom toto tu ty u uz v vam vas ve vsak vse
        vsechny vy z za zda ze""",
    "ro": """a aceasta acest aceste acestea acestui ai al ale am ar are as asupra atunci au aveti ca cand care catre
        ce cea cei cel cele cine conform cu cum da daca dar de deci despre din dintr dintre doar dupa ea ei el ele era
        este eu fara fi fie fost iar ii il in inainte intr intre isi la le lor lui mai mult ne nici nu o ori pe pentru
        pentruca poate pot prin printr sa sau se si sub sunt toate tot toti un una unde unei unor unui unul va vor""",
    "hu": """a abban ahhoz aki alatt altal amely amelyek ami amikor az azok azon azonban azt azzal be csak de e egy
        egyes egyik el ennek es ez ezek ezt fel ha hanem hogy hogyan hol igy ill ilyen is itt jobban kell kellett
        keresztul ki le legyen lehet lesz lett maga majd meg mely melyik mennyi mert mi mibol mikor milyen mind minden
        mint mit most nagyon nekem nelkul nem nincs o ok ott pedig s sem sok szamara szerint szinten ugy ur utan vagy
        vagyok valamint van vannak volt""",
    "tr": """acaba ama ancak aslinda at bana bazi belki ben beni benim bile bir biri birkac biz bize bizi bizim bu
        buna bunda bundan bunlar bunlari bunu bunun burada cok cunku da daha de defa degil diye dolayi eger en fakat
        gibi gore hangi hangisi hem hep hepsi her hic icin icinde idi ile ise iste itibaren kac kadar karsi kendi ki
        kim kime kimin lazim mi midir misin mu mudur musun nasil nasildir ne neden nedeni nedir neler nelerdir nerde
        nerede nereden nereye nicin niye o olan olarak oldu oldugu oldugunu olmak olmasi olsa olup olur on ona ondan
        onlar onlari onu onun oyle oysa pek ragmen sana sanki sen seni senin siz size sizi sizin sonra su suna sunu
        tarafindan tum uzere var ve veya ya yani yapabilirim yapilir yapmak yerine yine yok yoksa zaten""",
    "id": """ada adalah agar akan aku anda antara apa apakah atau bagaimana bagi bahwa banyak beberapa bila bisa boleh
        bukan dalam dan dapat dari daripada dengan di dia guna hanya harus hingga ia ini itu jadi jika juga kami kamu
        kapan karena ke kepada kita lagi lain lalu lebih maka mana mengapa mereka namun oleh pada para pula saat saja
        sama sampai sangat saya sebagai sebelum sebuah secara sehingga sejak seluruh semua seperti serta setelah
        setiap siapa suatu sudah supaya tanpa telah tentang terhadap tersebut tetapi tidak untuk yaitu yang""",
    "ca": """a al als altra altre amb aquest aquesta aquestes aquests cada cap com d de del dels des dins durant el
        els em en entre era es esta estan et ets fer fins ha han hi i l la les li lo mentre mes meu molt ni no nomes
        nosaltres o on pel pels per pero perque pot quan quant que qui quin quina s sense ser seu seus seva si sobre
        son sota tambe te tenir tot tots un una unes uns va vol""",
    "vi": """ai bang bao bi boi ca cac cai can chi cho chua chung co con cua cung da dang de den di dieu do duoc duoi
        gi giua hay hoac hon khac khi khong la lai lam len luc ma moi mot muon nao nay nen neu ngoai nhieu nhu nhung o
        phai qua ra rang rat sau se su tai the theo thi trong truoc tu tung tuy va van vao vay ve vi viec voi""",
}  # fmt: skip

_OTHER: Final = {
    "ru": """а без был была были было быть в вам вас ведь весь во вот все всего всех вы где да для до его ее если есть
        еще же за здесь и из или им их к каждыи как какая какие каким какои ко когда кого которая которые которыи кто
        куда ли либо между меня мне может можно мои мы на над надо нам нас не него нее нет ни них но ну о об один
        однако он она они оно от отчего перед по под пока после потому почему при про с сам свои себя со так также
        такои там тем то того тоже тои только том ту ты у уже хотя чего чем через что чтобы чье чья эта эти это этого
        этои этом этот я является""",
    "uk": """а або але б без був була були було бути в вам вас ви вона вони воно від він де для до з за и иого кого
        кожен коли кому котра котрии крім куди лише мене мені ми мии можна моя між на над нам нас не него неи неі них
        ні о об от перед по при про під після с сам своі себе та так такии також там те ти то того тои тому ту тільки
        у уже хто це цеи ця ці через чи чим чия чому що щоб я як яка яке якии якщо які є і із інші""",
    "el": """α αλλα αν απο αυτα αυτη αυτο αυτοσ για δεν δυο ειναι εκει ενα εναν ενασ εχει εχουν η ηταν θα καθε και
        κατα κι μασ με μεσω μετα μη μια μου μπορει μπορω να ο οι οπου οπωσ οταν οτι ου ποια ποιεσ ποιο ποιοσ ποιουσ
        ποσα ποσο ποσοι ποτε που προσ πωσ σαν σασ σε σεισ στα στη στην στησ στο στον στουσ τα τη την τησ τι τισ το τον
        του τουσ των υπο χωρισ ωσ""",
    "ar": """اذا التي الذي الذين الى ان او اي ايضا اين ب بعد بعض بين تلك ثم حتى حول خلال دون ذلك على عن عند غير ف في
        قبل قد كان كانت كل كم كيف لا لكن لم لماذا لن ما ماذا متى مع من منذ هذا هذه هل هم هناك هو هي و يتم يكون""",
    "fa": """از است اما ان اين اگر این با باید بر براي برای به بود تا در را شد شده شود كجا كدام كه مي می نیز ها های هر
        هم و يا چرا چه چيست چگونه چیست کجا کدام کرد کردن کنید که کی یا یک""",
    "hi": """अपने इस उस एक और कब कर करना करने करें कहाँ का कि कितना कितने किया किस की के कैसे को कौन क्या क्यों गया जो
        तक तो था थी थे द्वारा नहीं ने पर बाद भी में यह या ये लिए वह वे साथ से ही है हैं हो होता होती होते""",
    "ko": """가요 같은 것 경우 그 그리고 까요 나요 내 누가 누구 니까 니다 대한 대해 더 되나요 등 때 또는 란 려주 몇
        무슨 무엇 무엇인가 무엇인가요 무엇인지 뭐 뭐예요 뭔 뭔가요 및 방법 설명해 설명해줘 세요 수 습니 알려
        알려주세요 알려줘 어느 어디 어디서 어떡해 어떤 어떻게 언제 언제나 얼마 얼마나 엇인 왜 위한 위해 이 이란 인가
        인가요 인지 있 있나요 있는 있습니까 있습니다 저 제 좀 주세 통해 하나요 하는 하려 하려면 합니까 해야""",
    "zh": """不能 与 为 为什 为何 么会 么做 么办 么时 么是 么样 了 些是 什么 什麼 何在 何时 何時 几 几个 可以 吗 否可
        呢 和 哪 哪一 哪个 哪些 哪儿 哪种 哪裡 哪里 在 多久 多少 如何 少个 怎么 怎样 怎樣 怎麼 时候 是 是什 是否 是甚
        是誰 是谁 有 有哪 樣的 為什 為何 甚麼 的 的是 能不 能否 被 要怎 誰是 請問 请问 谁 谁是 麼是 麼樣""",
    "ja": """あの ある あれ いつ いる うや から くだ ください こと この これ さい した して すか する せん その それ
        ださ だれ って です ですか では とき とは どう どこ どの ない なぜ なに には ます ませ また まで もの やっ
        何で 何を 及び 方法 法を 誰が""",
}  # fmt: skip

STOP_WORDS: Final[dict[str, frozenset[str]]] = {
    language: frozenset(words.split()) for language, words in {**_LATIN, **_OTHER}.items()
}
"""The stop words of each language."""

LATIN_LANGUAGES: Final = tuple(_LATIN)
"""The languages in the Latin alphabet that have a list."""
