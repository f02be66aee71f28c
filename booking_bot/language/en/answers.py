"""English words that whole answers are made of: yes please, looks good, never mind, any, thanks."""

from __future__ import annotations

from typing import Final

from booking_bot.language.answers import Sort, listed

WORDS: Final[dict[str, Sort]] = {
    **listed(
        "yes",
        "confirm booking, confirm the booking, confirm my booking, confirm this booking, it's correct, it is correct, "
        "it's right, it's fine, i'm sure, im sure, i am sure, yessir, yes sir, yes ma'am, okie dokie, okey "
        "dokey, okey dokie, "
        "yas, everything is right, all correct, all right with me, that's perfect, thats perfect, that's great, "
        "thats great, "
        "that's good, thats good, that's ok, thats ok, that's okay, that's all right, "
        "yes, yeah, yea, yep, yup, ya, yess, yes yes, aye, sure, sure thing, ok, okay, okey, okie, okk, k, kk, "
        "alright, all right, fine, that's fine, thats fine, correct, that's correct, thats correct, right, "
        "that's right, thats right, exactly, confirm, confirmed, i confirm, confirm it, confirm that, looks good, "
        "looks great, look good, looks right, looks fine, looks correct, sounds good, sounds great, sounds fine, "
        "sounds right, perfect, great, good, very good, all good, good to go, go ahead, go for it, do it, "
        "please do, book it, please book it, that works, works for me, works, it works, absolutely, definitely, "
        "certainly, of course, agreed, affirmative, y, lgtm, no problem, np, no worries, let's do it, lets do it, "
        "let's do that, lets do that, let's go, let's book it, lets book it, cool, awesome, excellent, wonderful, "
        "nice, yes i do, i do, i agree, that's it, thats it, that is right, that is correct, that is fine, "
        "that is it, that's the one, roger, indeed, totally, for sure, proceed, please proceed, make the booking, "
        "reserve it, approved, that will do, that'll do, that'd be great, that would be great, happy with that, "
        "fine by me, fine with me, good for me, i'm happy with that, everything is correct, everything looks good",
    ),
    **listed(
        "weak yes",
        "book, reserve, that one, this one, i'll take it, ill take it, i will take it, take it, take that, "
        "i want it, i'll take that one, i'll take this one, book that, book this, book that one, book this one, "
        "we'll take it, please book",
    ),
    **listed(
        "filler",
        "please, pls, plz, then, so, now, just, it, that, this, is, the, well, oh, ah, um, uh, hmm, hm, er, "
        "it's, its, mate, "
        "dear, bot, i think, i guess, actually, with that, to me, for me, very, much, really good, me, and, "
        "let's, um yes, i, one",
    ),
    **listed(
        "no",
        "no, nope, nah, naw, not, n, don't, dont, do not, don't book, dont book, don't book it, dont book it, "
        "do not book it, do not book, don't book that, don't book yet, not this, not this one, not this room, "
        "not that, not that one, not that room, wrong, that's wrong, thats wrong, that is wrong, incorrect, "
        "that's incorrect, not correct, that's not right, thats not right, that's not correct, not right, not yet, "
        "not now, hmm no, i don't think so, i dont think so, not really, "
        "negative, no way, stop, i don't want it, i don't want that, i don't want this, i dont want it, "
        "i don't like it, rather not, i'd rather not, no good, not good, doesn't work, that doesn't work, "
        "that does not work, doesn't work for me, not for me, no need, not needed, don't do it, don't do that, "
        "i don't, not ok, not okay, not fine, it's wrong",
    ),
    **listed(
        "wait",
        "wait, wait up, wait a second, wait a sec, wait a minute, wait a moment, wait a bit, wait for me, "
        "please wait, hold on, hold on a second, hold on a sec, hold on a minute, hold on a moment, hang on, "
        "hang on a second, hang on a sec, hang on a minute, hold it, hold up, one moment, one second, one sec, "
        "one minute, just a moment, just a second, just a sec, just a minute, a moment, a moment please, "
        "give me a moment, give me a second, give me a sec, give me a minute, let me think, let me think about it, "
        "let me see, let me check, i need to think, i have to think, i need a moment, i need a minute, "
        "i'll think about it, thinking, no rush, not so fast, slow down, bear with me, wait wait, a sec, a second, "
        "a minute, wait one second, wait one minute, hang on a moment, gimme a sec, gimme a second, gimme a minute, "
        "let me think about that, i need to think about it, ill think about it, i'm thinking, im thinking, "
        "still thinking, let me look, let me ask, i need to check, i have to check, i'll check, "
        "let me check my calendar, i need to check my calendar, brb, be right back, no hurry",
    ),
    **listed(
        "reject",
        "none of them, none of these, none of those, none, neither, neither of them, none of the above, "
        "i don't like any of them, i don't want any of them, not any of them, none of them work, none work",
    ),
    **listed(
        "cancel",
        "cancel, abort, call it off, scrap it, drop it",
    ),
    **listed(
        "never mind",
        "never mind, nevermind, never mind then, nvm, forget it, forget about it, forget that, scrap that, "
        "i changed my mind, changed my mind",
    ),
    **listed(
        "cancel this",
        "cancel it, cancel that, cancel this, please cancel it, cancel the booking, cancel my booking, "
        "cancel the meeting, cancel the reservation, confirm cancellation, confirm the cancellation, "
        "cancel this booking, cancel that booking, go ahead and cancel, delete it, remove it",
    ),
    **listed(
        "keep",
        "don't cancel, dont cancel, do not cancel, don't cancel it, dont cancel it, do not cancel it, keep it, "
        "keep the booking, keep my booking, leave it, i don't want to cancel, i dont want to cancel, "
        "i do not want to cancel, don't want to cancel, not cancel, no need to cancel, i don't want to cancel it",
    ),
    **listed(
        "any",
        "any, any one, anyone, any of them, any of these, any of those, whichever, whatever, either, either one, "
        "doesn't matter, does not matter, don't care, i don't care, i don't mind, don't mind, you choose, "
        "you pick, you decide, your choice, up to you, surprise me, any is fine, any will do, any room, "
        "any room is fine, anything, no preference, pick one, pick any, just pick one, choose one, choose for me, "
        "pick one for me, any works, whichever is fine, anything works, all the same to me, any one of them, "
        "any one is fine, either is fine, either works",
    ),
    **listed(
        "smalltalk",
        "hi, hello, hey, hiya, hi there, hello there, hey there, howdy, good morning, good afternoon, "
        "good evening, good night, morning, thanks, thank you, thank you very much, thank you so much, "
        "many thanks, thx, ty, tks, cheers, much appreciated, thanks a lot, thanks a million, bye, "
        "goodbye, bye bye, see you, see ya, see you later, "
        "take care, ciao, "
        "bye bye, see you, see ya, see you later, who are you, what are you, what's your name, what is your name, "
        "are you a bot, are you a robot, are you human, are you real, are you there, anyone there, how are you, "
        "how are you doing, how's it going, what's up, sup, lol, haha, hahaha, you're great, you are great, "
        "good bot, good job, well done, tell me a joke, sorry, you're welcome, nice to meet you, wow",
    ),
    **listed(
        "help",
        "help, help me, help please, please help, please help me, i need help, need help, can you help, "
        "can you help me, could you help me, what can you do, what can you do for me, what do you do, "
        "what can i do, what can i say, what can i ask, how does this work, how does it work, how do you work, "
        "how do i use this, how do i use you, how to use, how to use this, how do i book a room, how do i book, "
        "how to book a room, how to book, how can i book a room, how do i cancel, how do i cancel a booking, "
        "how do i change a booking, commands, instructions, menu, usage, manual, options, what are my options, "
        "what are the commands, how can i use this, show help, get help, what are your features, features",
    ),
    **listed(
        "retry",
        "try again, retry, once more, try it again, try once more, please try again, again, one more time, "
        "try one more time, can you try again",
    ),
    **listed(
        "unclear",
        "correct it, correct that, correct this, correct the, i confirm later, "
        "later, maybe later, right now, yeah right, ya right, yeah no, yes and no, yes or no, say yes, so so, "
        "you sure, are you sure, sure about that, is it ok, ok ok ok, fine whatever, whatever you say, "
        "maybe, not sure, i'm not sure, im not sure, perhaps, i don't know, i dont know, dunno, idk, not no, "
        "it depends, depends, possibly, probably, could be",
    ),
    **listed(
        "question",
        "is it, is that, is this, is the, is everything, is all, are we, are you, am i, do you, does it, does that, "
        "should i, should we, can you, can i, could you, will it, would it, "
        "really, is that ok, is that right, right or wrong",
    ),
}
